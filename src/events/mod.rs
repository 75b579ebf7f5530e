//! A line that matters becomes one typed event.
