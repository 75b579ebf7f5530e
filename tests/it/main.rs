//! Whole-program tests: the only integration binary, one file per subject.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod baseline;
mod common;
mod config;
mod generated;
mod layering;
mod program;
mod render_formats;
mod render_json;
mod render_text;
mod rules;
