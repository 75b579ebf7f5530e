//! Whole-program tests: the only integration binary, one file per subject.

mod layering;
