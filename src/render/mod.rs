//! What a person or a program is shown: a folder per subject, in it a file per format.

pub mod audit;
pub mod check;
pub mod format;
pub mod formats;
pub mod graph;
pub mod machine;
pub mod plan;
pub mod rules;
pub mod schemas;
pub mod sessions;
pub mod status;
pub mod text;
