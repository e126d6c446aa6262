//! See `tests/it/fuzz/properties/polyglot.rs` for what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gauntlet_fuzz::properties::polyglot::check(data));
