//! A snapshot as a file, `pulsectl.snapshot/1`: what `snapshot save` writes, `snapshot show`
//! prints and `--from` loads. What people wrote is taken out on the way in, never stored.

mod document;
mod load;

pub use document::Document;
pub use load::{SavedError, load};
