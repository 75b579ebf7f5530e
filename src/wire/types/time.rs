//! Times, and nulls in place of values.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

/// A time as the server writes it; `None` for an absent, empty or year-1 one, which all mean "unset".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Time(pub Option<Timestamp>);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Time;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a time in RFC 3339 form")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Time, E> {
                // Go's zero time is in year 1, in whatever zone.
                if text.is_empty() || text.starts_with("0001-") || text.starts_with("0000-") {
                    return Ok(Time(None));
                }
                text.parse()
                    .map(|time| Time(Some(time)))
                    .map_err(|_| serde::de::Error::invalid_value(serde::de::Unexpected::Str(text), &self))
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Time, E> {
                Ok(Time(None))
            }

            fn visit_none<E: serde::de::Error>(self) -> Result<Time, E> {
                Ok(Time(None))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Takes a null for the type's empty value.
pub(super) fn nullable<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_none_is_an_error_and_never_a_guess() {
        assert!(serde_json::from_str::<Time>("\"yesterday\"").is_err());
        assert!(serde_json::from_str::<Time>("\"2026-11-30T03:15:09.9+05:30\"").expect("a time").0.is_some());
    }
}
