//! Whole-program tests: the only integration binary, one file per subject.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;
mod generated;
mod layering;
mod program;
mod render_json;
mod render_text;
mod resolve;
mod rule_examples;
mod rules;
mod scan_generator;
mod snapshot;
