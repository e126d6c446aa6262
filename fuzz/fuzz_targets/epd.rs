//! See `tests/it/fuzz/properties/epd.rs` for what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gauntlet_fuzz::properties::epd::check(data));
