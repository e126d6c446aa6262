//! sliders
