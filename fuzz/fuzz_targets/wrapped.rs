#![no_main]

use std::fs;

use pulsectl::testing::fuzzing;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut paths = Vec::new();
    for (number, part) in fuzzing::parts(input).iter().enumerate() {
        let path = folder.path().join(format!("server_debug.log.{number}"));
        fs::write(&path, part).expect("a temporary file can be written");
        paths.push(path);
    }
    fuzzing::wrapped(paths);
});
