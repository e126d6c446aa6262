//! Techniques of our own for single lookups: one to be the fastest, one to be small. Both put the lines of one square into
//! the lanes of one AVX-512 register, so that a queen costs hardly more than a rook; without AVX-512 (F, CD, VL) the same
//! steps are taken line by line.

mod lanes;
mod rotor;

pub use lanes::OwnLanes;
pub use rotor::OwnRotor;
