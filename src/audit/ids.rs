//! `--session`: which ids of the log a beginning stands for, and what it may have meant.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::options::{AuditError, AuditErrorKind};
use crate::events::Event;
use crate::model::spelling::did_you_mean;

/// Ids kept of each kind: enough for suggestions, bounded for any log.
const KEPT_IDS: usize = 10_000;

/// Session ids of the log, as far as `--session` needs them.
#[derive(Debug, Default)]
pub(super) struct Ids {
    prefix: Option<String>,
    matching: BTreeSet<Arc<str>>,
    others: BTreeSet<Arc<str>>,
}

impl Ids {
    /// For this session or beginning; without one nothing is kept.
    pub(super) fn of(prefix: Option<&str>) -> Self {
        Self { prefix: prefix.map(str::to_owned), ..Self::default() }
    }

    /// Notes the session that an event names.
    pub(super) fn see(&mut self, event: &Event) {
        let Some(prefix) = &self.prefix else { return };
        let Some(session) = event.kind.session().or(event.context.session.as_ref()) else { return };
        let list = if session.starts_with(prefix.as_str()) { &mut self.matching } else { &mut self.others };
        if list.len() < KEPT_IDS && !list.contains(&**session) && !session.starts_with("session-group-") {
            list.insert(session.clone());
        }
    }

    /// Whether the beginning stands for one session of the log.
    ///
    /// # Errors
    /// When it stands for none, or for several.
    pub(super) fn check(&self) -> Result<(), AuditError> {
        let Some(prefix) = &self.prefix else { return Ok(()) };
        let some = |ids: &BTreeSet<Arc<str>>| {
            let first: Vec<&str> = ids.iter().take(5).map(AsRef::as_ref).collect();
            let more = ids.len() - first.len();
            if more > 0 { format!("{} and {more} more", first.join(", ")) } else { first.join(", ") }
        };
        let error = |text: String| AuditError::new(AuditErrorKind::NoSuchSession, text);
        match self.matching.len() {
            0 => {
                let hint = did_you_mean(prefix, self.others.iter().map(AsRef::as_ref));
                Err(error(format!("no session `{prefix}` in the log"))
                    .hint(hint.unwrap_or_else(|| format!("the log names {}", some(&self.others)))))
            }
            1 => Ok(()),
            _ if self.matching.contains(prefix.as_str()) => Ok(()),
            several => Err(error(format!("`{prefix}` fits {several} sessions"))
                .hint(format!("give more of the id: {}", some(&self.matching)))),
        }
    }
}
