//! Every closed set of words, once: what the machine formats call a thing, what people read, and what it means.
//!
//! A set is declared by one of three macros, which make the enum and all that is said of it:
//!
//! ```text
//! words! {
//!     /// What happens to a row's worker.
//!     pub enum Outcome {
//!         /// It works on.
//!         Survives = "survives" as "lives on",
//!         /// It cannot be told.
//!         Unknown = "unknown",
//!     }
//! }
//! ```
//!
//! * The first text is the word in the machine formats and on the command line. It is never renamed.
//! * The text after `as` is what people read in its place; without one they read the word itself.
//! * The doc comment is the meaning, as the help, `explain` and the README give it.
//!
//! The enum gets [`Word`], with `ALL`, `name`, `words` and `meaning`; it is written and read by its word (serde),
//! shown by it (`Display`), and its JSON Schema lists the words. `#[derive(Default)]` may stand before `pub enum`
//! and `#[default]` after a doc comment. `server_words!` does the same for words of the server, of which an
//! unknown one is kept as it is, and `wider_words!` for a set that takes in another.
//!
//! Every set is listed in `tests/it/words.rs`, which fails on one that is not.

use std::borrow::Cow;

/// One word of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// In the machine formats and on the command line.
    pub name: &'static str,
    /// For people, in place of the name.
    pub words: &'static str,
    /// What it means, as a sentence.
    pub meaning: &'static str,
}

impl Entry {
    /// The meaning as a part of a line: without the capital and the full stop of a sentence.
    #[must_use]
    pub fn in_a_line(self) -> String {
        let sentence = self.meaning.strip_suffix('.').unwrap_or(self.meaning);
        let mut characters = sentence.chars();
        characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
    }
}

/// A set of words.
#[derive(Debug, Clone, Copy)]
pub struct Set {
    /// The name of its type.
    pub name: &'static str,
    /// What the words of it tell.
    pub meaning: &'static str,
    /// The words, in the order in which they are listed.
    pub entries: &'static [Entry],
}

/// A word of a closed set.
pub trait Word: Copy + 'static {
    /// The whole set.
    const SET: Set;
}

/// The JSON Schema of a closed set.
#[must_use]
pub fn schema(set: Set) -> schemars::Schema {
    let names: Vec<&str> = set.entries.iter().map(|entry| entry.name).collect();
    schemars::json_schema!({ "type": "string", "enum": names })
}

/// Reads one word of a set.
///
/// # Errors
/// When the input is no text, or none of the words.
pub fn read<'de, D, W>(input: D, find: fn(&str) -> Option<W>, set: Set) -> Result<W, D::Error>
where
    D: serde::Deserializer<'de>,
{
    use serde::de::{Deserialize, Error};
    let name = Cow::<'de, str>::deserialize(input)?;
    find(&name).ok_or_else(|| {
        let known: Vec<String> = set.entries.iter().map(|entry| format!("`{}`", entry.name)).collect();
        D::Error::custom(format!("`{name}` is none of {}", known.join(", ")))
    })
}

/// Defines a closed set of words; see the head of this file.
macro_rules! words {
    (
        $(#[doc = $about:literal])+
        $(#[derive($($derive:ident),+)])?
        $visible:vis enum $name:ident {
            $(
                $(#[doc = $meaning:literal])+
                $(#[default $($nothing:tt)?])?
                $variant:ident = $word:literal $(as $words:literal)?,
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash $($(, $derive)+)?)]
        $visible enum $name {
            $(
                $(#[doc = $meaning])+
                $(#[default $($nothing)?])?
                $variant,
            )+
        }

        impl $name {
            /// Every one, in the order in which they are listed.
            $visible const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The name in the machine formats and on the command line.
            #[must_use]
            $visible const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// What people read in its place.
            #[must_use]
            $visible const fn words(self) -> &'static str {
                match self {
                    $(Self::$variant => $crate::model::words::first!($($words,)? $word),)+
                }
            }

            /// What it means, as a sentence.
            #[must_use]
            $visible const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($meaning),+).trim_ascii(),)+
                }
            }

            /// The word with all that is said of it.
            #[must_use]
            $visible const fn entry(self) -> $crate::model::words::Entry {
                $crate::model::words::Entry {
                    name: self.name(),
                    words: self.words(),
                    meaning: self.meaning(),
                }
            }

            /// The one with this name.
            #[must_use]
            $visible fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl $crate::model::words::Word for $name {
            const SET: $crate::model::words::Set = $crate::model::words::Set {
                name: stringify!($name),
                meaning: concat!($($about),+).trim_ascii(),
                entries: &[$(Self::$variant.entry()),+],
            };
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                output.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let set = <Self as $crate::model::words::Word>::SET;
                $crate::model::words::read(input, Self::from_name, set)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::model::words::schema(<Self as $crate::model::words::Word>::SET)
            }
        }
    };
}
pub(crate) use words;

/// Defines a set of the server's words, with other spellings after `|`; an unknown word is kept as it is.
macro_rules! server_words {
    (
        $(#[doc = $about:literal])+
        $visible:vis enum $name:ident {
            $($(#[doc = $meaning:literal])+ $variant:ident = $word:literal $(| $also:literal)*,)+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible enum $name {
            $($(#[doc = $meaning])+ $variant,)+
            /// A word that this version of pulsectl does not know, as the server said it.
            Other(Box<str>),
        }

        impl $name {
            /// The words that are known.
            pub const SET: $crate::model::words::Set = $crate::model::words::Set {
                name: stringify!($name),
                meaning: concat!($($about),+).trim_ascii(),
                entries: &[$($crate::model::words::Entry {
                    name: $word,
                    words: $word,
                    meaning: concat!($($meaning),+).trim_ascii(),
                }),+],
            };

            /// Reads the server's word.
            #[must_use]
            pub fn from_word(word: &str) -> Self {
                match word {
                    $($word $(| $also)* => Self::$variant,)+
                    other => Self::Other(other.into()),
                }
            }

            /// The server's word.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                output.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                <std::borrow::Cow<'de, str>>::deserialize(input).map(|word| Self::from_word(&word))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string" })
            }
        }
    };
}
pub(crate) use server_words;

/// Defines a set of words that takes in another set as its last variant, after `..`.
///
/// `Gap(GapCode)` takes the word of the value in it; `Row(IdKind) by RowKind::of` that of what this makes of it.
macro_rules! wider_words {
    (
        $(#[doc = $about:literal])+
        $visible:vis enum $name:ident {
            $($(#[doc = $meaning:literal])+ $variant:ident = $word:literal,)+
            ..
            $(#[doc = $also:literal])+
            $outer:ident($inner:ty) $(by $of:path)?,
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible enum $name {
            $($(#[doc = $meaning])+ $variant,)+
            $(#[doc = $also])+
            $outer($inner),
        }

        impl $name {
            /// The words that are not of the other set.
            $visible const SET: $crate::model::words::Set = $crate::model::words::Set {
                name: stringify!($name),
                meaning: concat!($($about),+).trim_ascii(),
                entries: &[$($crate::model::words::Entry {
                    name: $word,
                    words: $word,
                    meaning: concat!($($meaning),+).trim_ascii(),
                }),+],
            };

            /// The name in the machine formats.
            #[must_use]
            $visible fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::$outer(inner) => {
                        $(let inner = $of(inner);)?
                        inner.name()
                    }
                }
            }
        }
    };
}
pub(crate) use wider_words;

/// The first of one or two texts.
macro_rules! first {
    ($first:literal $(, $rest:literal)?) => {
        $first
    };
}
pub(crate) use first;

#[cfg(test)]
mod tests {
    use super::*;

    words! {
        /// How a door
        /// stands.
        #[derive(Default)]
        enum Door {
            /// Nobody gets in.
            #[default]
            Shut = "shut",
            /// It can be passed,
            /// by anybody.
            Open = "wide_open" as "wide open",
        }
    }

    wider_words! {
        /// What is in a wall.
        enum Hole {
            /// It lets light in.
            Window = "window",
            ..
            /// It lets people in.
            Door(Door),
        }
    }

    #[test]
    fn a_wider_set_takes_in_the_words_of_another() {
        assert_eq!([Hole::Window.name(), Hole::Door(Door::Open).name()], ["window", "wide_open"]);
        assert_eq!((Hole::SET.name, Hole::SET.entries.len()), ("Hole", 1));
    }

    #[test]
    fn one_row_tells_all_of_a_word() {
        assert_eq!(Door::Open.name(), "wide_open");
        assert_eq!(Door::Open.words(), "wide open");
        assert_eq!(Door::Shut.words(), "shut");
        assert_eq!(Door::Open.meaning(), "It can be passed, by anybody.");
        assert_eq!(Door::Open.entry().in_a_line(), "it can be passed, by anybody");
        assert_eq!(Door::SET.meaning, "How a door stands.");
        assert_eq!((Door::default(), Door::ALL), (Door::Shut, [Door::Shut, Door::Open]));
    }

    #[test]
    fn a_word_is_written_and_read_by_its_name_alone() {
        let written = serde_json::to_string(&Door::ALL).expect("a list of words can be written");
        assert_eq!(written, r#"["shut","wide_open"]"#);
        let read: [Door; 2] = serde_json::from_str(&written).expect("what was written can be read");
        assert_eq!(read, Door::ALL);
        let wrong =
            serde_json::from_str::<Door>(r#""wide open""#).expect_err("these are the words for people");
        assert!(wrong.to_string().starts_with("`wide open` is none of `shut`, `wide_open`"), "{wrong}");
        assert_eq!(format!("{:>6}", Door::Shut), "  shut");
    }

    #[test]
    fn the_schema_lists_the_words() {
        let schema = schemars::schema_for!(Option<Door>);
        assert_eq!(schema.get("enum"), Some(&serde_json::json!(["shut", "wide_open", null])));
    }
}
