//! Bytes as a trace, or as the recipe of one.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fencepost_tests::drawn::trace_text(bytes));
