//! See `tests/it/fuzz/properties/uci_line.rs` for what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gauntlet_fuzz::properties::uci_line::check(data));
