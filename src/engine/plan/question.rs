//! What is asked: one action on one session, by one policy, on one version. Data only.

use super::action::Action;
use super::policy::Policy;
use crate::engine::resolve::SessionFacts;
use crate::model::server::ServerVersion;

/// One question: this action, by this policy, on this version.
#[derive(Clone, Copy)]
pub(super) struct Question<'a, 'b> {
    pub(super) facts: &'b SessionFacts<'a>,
    pub(super) action: &'b Action<'a>,
    pub(super) policy: Policy,
    pub(super) version: ServerVersion,
    /// Whether the trigger is the loss of the main pane, whatever the server then does.
    pub(super) main_pane_lost: bool,
}
