//! What is asked: one action on one session, by one policy, on one version. Data only.

use super::action::Action;
use super::behaviour::Behaviour;
use super::policy::Policy;
use crate::engine::resolve::SessionFacts;

/// One question: this action, by this policy, on this version.
#[derive(Clone, Copy)]
pub(super) struct Question<'a, 'b> {
    pub(super) facts: &'b SessionFacts<'a>,
    pub(super) action: &'b Action<'a>,
    pub(super) policy: Policy,
    pub(super) behaviour: Behaviour,
    /// Whether the trigger is the loss of the main pane, whatever the server then does.
    pub(super) main_pane_lost: bool,
}
