//! Whole-program tests: the only integration binary, one file per subject.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
