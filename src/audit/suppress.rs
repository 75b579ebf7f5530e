//! Suppressions: findings that someone decided to accept, with a reason and perhaps only until a day.

use glob::Pattern;
use jiff::civil::Date;

use super::finding::{Finding, Report};
use super::notice::{Notice, NoticeCode};
use super::retain::retain;

/// One accepted kind of finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The rule's code.
    pub rule: String,
    /// Sessions it holds for; `None`: all.
    pub session: Option<Pattern>,
    /// Subjects (runs, items, steps …) it holds for; `None`: all.
    pub run: Option<Pattern>,
    /// Why it is accepted.
    pub reason: String,
    /// The last day on which it holds.
    pub expires: Option<Date>,
}

impl Suppression {
    fn covers(&self, finding: &Finding) -> bool {
        self.rule == finding.rule
            && self.session.as_ref().is_none_or(|pattern| pattern.matches(&finding.session))
            && self
                .run
                .as_ref()
                .is_none_or(|pattern| finding.subjects.iter().any(|subject| pattern.matches(&subject.id)))
    }

    fn expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }
}

/// Takes suppressed findings out of a report: how many, and which suppressions are expired or unused.
pub fn apply(report: &mut Report, suppressions: &[Suppression], today: Date) -> (usize, Vec<Notice>) {
    let mut notices = Vec::new();
    for suppression in suppressions {
        let used = report.findings.iter().any(|finding| suppression.covers(finding));
        let (rule, reason) = (&suppression.rule, &suppression.reason);
        match suppression.expires {
            Some(last) if suppression.expired(today) => notices.push(Notice {
                code: NoticeCode::SuppressionExpired,
                message: format!("the suppression of {rule} ({reason}) expired after {last}"),
            }),
            _ if !used => notices.push(Notice {
                code: NoticeCode::SuppressionUnused,
                message: format!("the suppression of {rule} ({reason}) fits no finding"),
            }),
            _ => {}
        }
    }
    let suppressed = retain(report, |finding| {
        !suppressions.iter().any(|suppression| !suppression.expired(today) && suppression.covers(finding))
    });
    (suppressed, notices)
}
