//! PLS009: a stopped session was registered as active again.

use super::hit::Hit;
use super::meta::{Certainty, Severity};
use super::registry::rule;
use crate::events::EventKind;
use crate::model::subject::{Subject, SubjectKind};
use crate::model::thresholds::Thresholds;
use crate::replay::Case;
use crate::replay::episode::Order;

/// A person's own line stands at most this many seconds from the registration
/// (server-behaviour.md#reading-a-stop-from-a-log).
const NEAR: i64 = 5;

rule! {
    /// # What it means
    /// After a person's stop a request entered the session again, without a person behind it. Registering the
    /// session sets its status to running without a line of its own.
    ///
    /// # Why it matters
    /// It is the first visible step of work after a stop. Where that work shows too, this line is shown there.
    ///
    /// # What to do now
    /// Look what followed in the session: a stream, a tool, a relaunched pane.
    ///
    /// # Fires on
    /// ```log,fires
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session schedule-cron--aa11bb22_1787198400000000000 status to: stopped
    /// 2026/08/20 09:32:30 [mode=workflow user_id=default session=schedule-cron--aa11bb22_1787198400000000000] [ACTIVE_SESSION] Tracked active session: schedule-cron--aa11bb22_1787198400000000000 (mode: workflow_phase, user: default)
    /// 2026/08/20 09:35:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Stays silent on
    /// A person wrote:
    /// ```log,silent
    /// 2026/08/20 09:32:10 [ACTIVE_SESSION] Updated session b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 status to: stopped
    /// 2026/08/20 09:33:14 [mode=workflow user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [ACTIVE_SESSION] Tracked active session: b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 (mode: workflow_phase, user: default)
    /// 2026/08/20 09:33:14 [workflow=bids mode=workflow user=user user_id=default session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70] [QUERY] session=b7d2c6f1-0f7a-4f5e-8a53-2f9a6c1d4e70 enable_browser_access=false query="go on"
    /// 2026/08/20 09:36:00 [API] --> GET /api/sessions/active in_flight=1
    /// ```
    ///
    /// # Known false positives
    /// The line's own `user_id=` says nothing: it is there for every source.
    STOPPED_SESSION_REACTIVATED = "PLS009", "stopped-session-reactivated", Medium, Preview;
    summary: "a stopped session was registered as active again without a person";
    literals: ["Tracked active session"];
    check: check
}

fn check(case: &Case, _thresholds: &Thresholds) -> Vec<Hit> {
    let Case::Stop(episode) = case else { return Vec::new() };
    if !episode.cause.is_person_stop() {
        return Vec::new();
    }
    let reactivated = episode.lines.iter().find(|line| {
        matches!(line.kind, EventKind::SessionTracked { .. })
            && episode.order(line) == Order::After
            && !episode.resumed_before(line)
            && episode.resumed.as_ref().is_none_or(|person| (person.utc() - line.utc()).abs() > NEAR)
    });
    let Some(line) = reactivated else { return Vec::new() };
    let stop = episode.main_opener().unwrap_or_else(|| episode.opener());
    let hit = Hit::new("PLS009", &episode.session, Severity::Medium, Certainty::Probable)
        .subject(Subject::new(SubjectKind::Session, &*episode.session))
        .claim("a request entered the stopped session without a person behind it")
        .proof(stop, "the stop")
        .proof(line, "the session is registered as active again")
        .ruled_out("no person's message stands within five seconds")
        .next("look what followed in the session: a stream, a tool, a relaunched pane");
    vec![hit]
}
