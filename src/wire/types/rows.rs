//! Lists of rows: one row that cannot be read does not take the others with it, and is counted.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A row of a list.
pub trait Row: DeserializeOwned {
    /// Whether it says what it is about. A row that does not is of no use, but something is hidden behind it.
    fn is_named(&self) -> bool;
}

/// The rows of a list that could be read.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    rows: Vec<T>,
    /// How many rows have no id, or a value of another type than the server's.
    pub unreadable: u64,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), unreadable: 0 }
    }
}

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        Self { rows: rows.into_iter().collect(), unreadable: 0 }
    }
}

impl<T> std::ops::Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<T> IntoIterator for Rows<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Rows<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<'de, T: Row> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List<T>(PhantomData<T>);
        impl<'de, T: Row> Visitor<'de> for List<T> {
            type Value = Rows<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of rows")
            }

            fn visit_unit<E>(self) -> Result<Rows<T>, E> {
                Ok(Rows::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Rows<T>, A::Error> {
                let mut read = Rows::default();
                // A row that does not fit would end the list, so each is cut out first and decoded by itself.
                while let Some(row) = list.next_element::<&RawValue>()? {
                    // The decoder would also take a list for a row, field by field.
                    let is_object = row.get().starts_with('{');
                    match serde_json::from_str::<T>(row.get()) {
                        Ok(row) if is_object && row.is_named() => read.rows.push(row),
                        Ok(_) | Err(_) => read.unreadable += 1,
                    }
                }
                Ok(read)
            }
        }
        deserializer.deserialize_any(List(PhantomData))
    }
}

/// How many rows a list says that it has; `None` where it says nothing, or no number.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told(pub Option<u64>);

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Count {
            Number(u64),
            Other(IgnoredAny),
        }
        Ok(match Count::deserialize(deserializer)? {
            Count::Number(count) => Self(Some(count)),
            Count::Other(_) => Self(None),
        })
    }
}

/// Counts the rows of an answer before any of them is decoded: the objects that stand in lists, at any depth.
/// Rows are small in an answer and large in memory, so an answer's length alone is no bound.
pub(in crate::wire) fn count_rows(body: &[u8]) -> usize {
    let (mut rows, mut before, mut at) = (0, 0, 0);
    while let Some(&byte) = body.get(at) {
        match byte {
            b'"' => at = end_of_text(body, at + 1),
            b'{' if matches!(before, b'[' | b',') => rows += 1,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    rows
}

/// Where the closing quotation mark of a text is that begins here, or the end of the answer.
fn end_of_text(body: &[u8], begin: usize) -> usize {
    let mut at = begin;
    loop {
        let rest = body.get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            // A backslash takes the byte after it along.
            Some(found) if rest.get(found) == Some(&b'\\') => at += found + 2,
            Some(found) => return at + found,
            None => return body.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::types::{SessionList, TerminalList};

    // Issue 12, A.7: such a row hides a session, and no more than that one.
    #[test]
    fn a_row_that_cannot_be_read_is_counted_and_leaves_the_others() {
        let list: SessionList = serde_json::from_str(
            r#"{"active_sessions":[{"session_id":"a"},{"session_id":7},{},null,["b"],{"session_id":"c",
                "runtime_state":{"child_executions":[{"execution_id":"x"},{"execution_id":["y"]},{"status":"running"}]}},
                {"session_id":"d","created_at":5}],"total":9}"#,
        )
        .expect("the list is one");
        let ids: Vec<&str> = list.active_sessions.iter().map(|row| row.session_id.as_str()).collect();
        assert_eq!((ids, list.active_sessions.unreadable), (vec!["a", "c"], 5));
        let state = list.active_sessions[1].runtime_state.as_ref().expect("it is there");
        assert_eq!((state.child_executions.len(), state.child_executions.unreadable), (1, 2));
        assert_eq!(list.total.0, Some(9));
    }

    #[test]
    fn a_list_must_be_one_and_a_total_may_be_anything() {
        for text in [r#"{"active_sessions":7}"#, r#"{"active_sessions":{}}"#, "{}"] {
            assert!(serde_json::from_str::<SessionList>(text).is_err(), "{text}");
        }
        for total in ["-1", "\"many\"", "null", "1e400", "{\"a\":[]}"] {
            let text = format!(r#"{{"terminals":null,"total":{total}}}"#);
            let list: Result<TerminalList, _> = serde_json::from_str(&text);
            // Only what is no JSON at all is refused.
            assert_eq!(list.map(|list| list.total.0).unwrap_or(None), None, "{text}");
        }
    }

    #[test]
    fn rows_are_the_objects_in_lists() {
        for (body, rows) in [
            (r#"{"a":[]}"#, 0),
            (r#"{"a":{"b":{}},"c":{}}"#, 0),
            (r#"{"a":[{}, {"b":[{} ,{}]}, 7, {"c":{}}]}"#, 5),
            (r#"{"a":[{"text":",{,{[{\",{"},{"\\":",{"}]}"#, 2),
            ("[{", 1),
            ("\"\\", 0),
            ("", 0),
        ] {
            assert_eq!(count_rows(body.as_bytes()), rows, "{body}");
        }
    }
}
