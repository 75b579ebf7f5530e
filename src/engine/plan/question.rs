//! What is asked: one action on one session, by one policy, on one version.

use super::action::Action;
use super::behaviour::Behaviour;
use super::known::Known;
use super::policy::Policy;
use crate::engine::resolve::SessionFacts;

/// One question: this action, by this policy, on this version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a, 'b> {
    pub(super) known: &'b Known<'a, 'b>,
    pub(super) action: &'b Action<'a>,
    pub(super) policy: Policy,
    pub(super) behaviour: Behaviour,
    /// Whether the trigger is the loss of the main pane, whatever the server then does.
    pub(super) main_pane_lost: bool,
}

impl<'a, 'b> Question<'a, 'b> {
    /// The session that it is about.
    pub(super) fn facts(&self) -> &'b SessionFacts<'a> {
        self.known.facts
    }
}
