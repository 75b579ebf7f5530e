//! A plan held against what a log then says.
