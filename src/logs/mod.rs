//! Bytes to lines: where logs come from, how they are read, which lines matter, and what time it was.
//!
//! Knows no template: the table of tags comes from `events`. Never keeps a whole file in memory, never maps
//! one, and never drops a byte without counting it.

mod backwards;
mod block;
mod candidate;
mod chunk;
mod clock;
mod copies;
mod discover;
mod examine;
mod gap;
mod guess;
mod head;
mod inside;
mod line;
mod name;
mod probe;
mod problem;
mod reader;
mod scan;
mod shape;
mod source;
mod tag;
mod time;
mod window;
mod word;
mod wrapper;
mod zone;

pub use discover::{Discovered, Group, discover};
pub use gap::ReadGap;
pub use line::Line;
pub use name::LogKind;
pub use problem::InputProblem;
pub use reader::{InputStats, ReadOptions, Reader};

pub use shape::Shape;
pub use source::LogFile;
pub use tag::{Tag, TagId, TagTable};
pub(crate) use window::DAY;
pub use window::{Bound, TimeError, WallWindow, Window, parse_zone};
pub use zone::ZoneSource;
