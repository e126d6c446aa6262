//! The properties that the fuzz targets check. `cargo test` checks the same ones on a few thousand damaged inputs, so
//! they live with the tests.

#[path = "../../tests/it/fuzz/properties/mod.rs"]
pub mod properties;
