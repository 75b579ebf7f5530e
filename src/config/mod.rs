//! Settings and where they came from.
