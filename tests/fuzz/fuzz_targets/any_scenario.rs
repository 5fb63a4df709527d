//! Bytes as choices that make a scenario.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fencepost_tests::drawn::any_scenario(bytes));
