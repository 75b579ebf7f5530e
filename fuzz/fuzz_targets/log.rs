#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| pulsectl::testing::fuzzing::log(input));
