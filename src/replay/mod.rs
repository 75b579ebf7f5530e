//! Events become state.
