//! What is concluded about a trigger before any row is looked at. Data only.

use std::borrow::Cow;

use super::action::Action;
use crate::model::confidence::Confidence;
use crate::model::terminal::Terminal;

/// What a real server did.
pub(super) const MEASURED: &str = "server-behaviour.md#what-a-stop-does-to-a-row";

/// Why the server refuses, or does nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status of the refusal; `None` where the server would just do nothing.
    pub status: Option<u16>,
    /// Why, as a sentence fragment.
    pub reason: Cow<'static, str>,
}

/// What is concluded before any row is looked at.
#[derive(Debug, Clone)]
pub(super) struct Verdict<'a> {
    pub(super) action: Action<'a>,
    pub(super) refused: Option<Refusal>,
    pub(super) confidence: Confidence,
    pub(super) rule: &'static str,
    /// The other side of a race: what the server does then, and in which case.
    pub(super) otherwise: Option<(Action<'a>, &'static str)>,
    /// The pane whose death is assumed, or that is killed.
    pub(super) lost: Option<&'a Terminal>,
    /// How the server's log names the loss of the main pane.
    pub(super) pane_reason: &'static str,
}

impl<'a> Verdict<'a> {
    pub(super) fn does(action: Action<'a>, confidence: Confidence, rule: &'static str) -> Self {
        let pane_reason = "tmux pane disappeared unexpectedly";
        Self { action, refused: None, confidence, rule, otherwise: None, lost: None, pane_reason }
    }

    pub(super) fn refuses(
        status: Option<u16>,
        rule: &'static str,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        let refused = Some(Refusal { status, reason: reason.into() });
        Self { refused, ..Self::does(Action::Nothing, Confidence::High, rule) }
    }

    pub(super) fn or(mut self, action: Action<'a>, condition: &'static str) -> Self {
        self.otherwise = Some((action, condition));
        self
    }

    pub(super) fn losing(mut self, terminal: &'a Terminal) -> Self {
        self.lost = Some(terminal);
        self
    }
}
