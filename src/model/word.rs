//! Enums of the server's words that keep an unknown word as it is.

/// Defines an enum of known words that keeps an unknown word as it is.
macro_rules! words {
    ($(#[$outer:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $word:literal $(| $also:literal)*,)+ }) => {
        $(#[$outer])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$inner])* $variant,)+
            /// A word that this version of pulsectl does not know, as the server said it.
            Other(Box<str>),
        }

        impl $name {
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
    };
}
pub(crate) use words;
