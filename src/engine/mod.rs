//! Pure questions about a snapshot.
