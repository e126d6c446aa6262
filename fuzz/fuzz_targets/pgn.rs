//! See `tests/it/fuzz/properties/pgn.rs` for what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gauntlet_fuzz::properties::pgn::check(data));
