//! Which one thing a text names: in full, or by the beginning of its id. One wording for what it does not name.

use super::exit::{CommandError, ExitStatus};
use crate::model::session::Session;
use crate::model::snapshot::Snapshot;
use crate::model::spelling::did_you_mean;
use crate::render::text::style::counted;

/// How many ids are named where several begin with the text.
const NAMED: usize = 5;

/// The words for a text that does not name one thing.
pub(super) struct Unnamed<'a> {
    /// What was read.
    pub(super) snapshot: &'a Snapshot,
    /// The text.
    pub(super) text: &'a str,
    /// What is said where no id begins with it.
    pub(super) nothing: String,
    /// What the ids are called where several do.
    pub(super) ids: &'static str,
}

impl Unnamed<'_> {
    /// The failure, where `matching` is not one; `hint` helps where no id of `all` looks like the text.
    pub(super) fn failure<'a>(
        self,
        matching: &[&str],
        all: impl Iterator<Item = &'a str>,
        hint: impl FnOnce() -> String,
    ) -> CommandError {
        if matching.is_empty() {
            // It may be in a row that was lost, so it cannot be said that there is none.
            if let Some(gap) = self.snapshot.gaps.iter().find(|gap| gap.code.hides_rows()) {
                let error = format!("`{}` is not among the rows that could be read", self.text);
                return CommandError::new(ExitStatus::Incomplete, error).detail(gap.message.clone());
            }
            let hint = did_you_mean(self.text, all).unwrap_or_else(hint);
            return CommandError::new(ExitStatus::NotFound, self.nothing).hint(hint);
        }
        let error = format!("`{}` is the beginning of {} {}", self.text, matching.len(), self.ids);
        let some: Vec<&str> = matching.iter().take(NAMED).copied().collect();
        CommandError::new(ExitStatus::NotFound, error).hint(format!("one of {}", some.join(", ")))
    }
}

/// The session that a text names: its id, or the beginning of it where only one session has it.
///
/// # Errors
/// When none or several do.
pub(super) fn find_session<'a>(snapshot: &'a Snapshot, text: &str) -> Result<&'a Session, CommandError> {
    if let Some(session) = snapshot.session(text) {
        return Ok(session);
    }
    let all = snapshot.sessions();
    let begins: Vec<&Session> =
        all.iter().filter(|session| !text.is_empty() && session.id.starts_with(text)).collect();
    if let [session] = begins.as_slice() {
        return Ok(session);
    }
    let matching: Vec<&str> = begins.iter().map(|session| session.id.as_str()).collect();
    let unnamed =
        Unnamed { snapshot, text, nothing: format!("no such session `{text}`"), ids: "session ids" };
    Err(unnamed.failure(&matching, all.iter().map(|session| session.id.as_str()), || match all.len() {
        0 => "there are no sessions".to_owned(),
        count => {
            let listed = counted(count as u64, "session");
            format!("{listed} listed; `pulsectl status` says what can be seen")
        }
    }))
}

/// The one id that a text names: in full, or by its beginning.
///
/// # Errors
/// When none or several do.
pub(super) fn one_of<'a>(
    snapshot: &Snapshot,
    ids: impl Iterator<Item = &'a str> + Clone,
    text: &str,
    what: &str,
) -> Result<String, CommandError> {
    let begins: Vec<&str> = ids.clone().filter(|id| !text.is_empty() && id.starts_with(text)).collect();
    if begins.contains(&text) {
        return Ok(text.to_owned());
    }
    if let [one] = begins.as_slice() {
        return Ok((*one).to_owned());
    }
    let unnamed = Unnamed { snapshot, text, nothing: format!("no {what} is named `{text}`"), ids: "ids" };
    Err(unnamed.failure(&begins, ids, || String::from("`pulsectl graph SESSION` shows the ids")))
}
