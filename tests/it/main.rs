//! Whole-program tests: the only integration binary, one file per subject.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "a test that was skipped says so")]

mod baseline;
mod client;
mod common;
mod config;
mod events;
mod exit_codes;
mod explain_stops;
mod fixtures;
mod generated;
mod graph;
mod graph_laws;
mod graph_log;
mod graph_server;
mod guard;
mod help;
mod layering;
mod plan_bench;
mod plan_cases;
mod plan_laws;
mod plan_log;
mod plan_program;
mod plan_recordings;
mod plan_unsure;
mod program;
mod properties;
mod recorded_formats;
mod recordings;
mod render_formats;
mod render_json;
mod render_text;
mod resolve;
mod rule_examples;
mod rules;
mod samples;
mod scan_generator;
mod server;
mod sessions;
mod snapshot;
mod tls;
mod transform;
mod transformed;
mod walk;
mod wrapped;
