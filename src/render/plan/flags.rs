//! What each flag of a plan means: the one place from which the help of `plan` and the README take it.

use crate::engine::plan::{Flag, Policy};

/// What a flag says of a row, in one line.
#[must_use]
pub fn meaning(flag: Flag) -> &'static str {
    match flag {
        Flag::Collateral => "not the session's own, and hit by what was not meant for it",
        Flag::IntendedKill => "not the session's own, and ended because that was asked for",
        Flag::Ineffective => "called stopped, but its worker is not told",
        Flag::NominalNoCancel => "counted as \"no cancel func\", but ends with what it runs in",
        Flag::RelaunchRisk => "a turn being prepared that may begin to work afterwards",
        Flag::OrphanTracked => "says running for up to 12 h with no worker behind it",
        Flag::DarkExecution => "what it starts later is killed or runs unseen",
        Flag::SwallowedNotification => "its completion will not be told to the session",
        Flag::HalfStopped => "looks stopped, but goes on",
        Flag::McpCollateral => "lives on without its tool connections and browsers",
        Flag::WorksOn => "its command line tool works on for up to 30 s",
        Flag::FalseCompletion => "its pane is lost, and it is reported as completed",
        Flag::BlockedByPaneSweep => "spared by the policy, but its pane is closed",
        Flag::BlockedByReaper => "spared by the policy, but the reaper closes its pane",
        Flag::BlockedByGuard => "spared by the policy, but what it starts is cancelled",
        Flag::BlockedByNotification => "spared by the policy, but its completion is dropped",
        Flag::BlockedByWorkshopClose => "spared by the policy, but its workshop is closed",
        Flag::BlockedByHttpSessionClose => "spared by the policy, but its tools are disconnected",
    }
}

/// Who may cancel whom under a policy, in one line.
fn policy_meaning(policy: Policy) -> &'static str {
    match policy {
        Policy::Server => "what this version of the server does",
        Policy::Owner => "what PLAT-171 asks for: only what a session owns ends with it",
        Policy::SweepsOnly => "the same in the sweeps alone, all else as the server does",
    }
}

/// What "safe" means, wrapped for the help.
const SAFE: &str = "\
Safe means: nothing beyond what the trigger is meant to end. The state was
read completely, no warning stands above the plan (notes do not count), every
row's outcome is known and none has low confidence, no row has another flag
than intended_kill and nominal_no_cancel, and no pane of other work is closed.
It does not mean that nothing ends.
";

/// The words of a plan, for the long help.
#[must_use]
pub fn help() -> String {
    let mut text = format!("{SAFE}\nPolicies:\n");
    for policy in Policy::ALL {
        text.push_str(&format!("  {:<12} {}\n", policy.name(), policy_meaning(policy)));
    }
    text.push_str("\nFlags of a row, which --fail-on takes (besides unknown and unsafe):\n");
    for flag in Flag::ALL {
        text.push_str(&format!("  {}\n      {}\n", flag.name(), meaning(*flag)));
    }
    text
}

/// The flags as the README lists them.
#[must_use]
pub fn markdown_table() -> String {
    let mut table = String::from("| Flag | A row with it |\n|---|---|\n");
    for flag in Flag::ALL {
        table.push_str(&format!("| `{}` | {} |\n", flag.name(), meaning(*flag)));
    }
    table
}

/// The policies as the README lists them.
#[must_use]
pub fn policy_table() -> String {
    let mut table = String::from("| Policy | Who may cancel whom |\n|---|---|\n");
    for policy in Policy::ALL {
        table.push_str(&format!("| `{}` | {} |\n", policy.name(), policy_meaning(policy)));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    // The names of formats.md, section 3, which the table must hold without exception.
    #[test]
    fn every_flag_of_the_contract_is_explained() {
        for name in [
            "collateral",
            "intended_kill",
            "ineffective",
            "nominal_no_cancel",
            "relaunch_risk",
            "orphan_tracked",
            "dark_execution",
            "swallowed_notification",
            "half_stopped",
            "mcp_collateral",
            "works_on",
            "false_completion",
            "blocked_by:pane_sweep",
            "blocked_by:reaper",
            "blocked_by:guard_kills_children",
            "blocked_by:notification_swallowed",
            "blocked_by:workshop_close",
            "blocked_by:http_session_close",
        ] {
            assert!(markdown_table().contains(&format!("| `{name}` | ")), "{name}");
            assert!(help().contains(&format!("  {name}\n")), "{name}");
        }
        for policy in ["server", "owner", "sweeps_only"] {
            assert!(policy_table().contains(&format!("| `{policy}` | ")), "{policy}");
        }
    }
}
