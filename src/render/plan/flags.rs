//! The words of a plan as the help of `plan` and the README list them: its flags, its policies, and "safe".

use crate::engine::plan::{Flag, Policy};

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
        text.push_str(&format!("  {:<12} {}\n", policy.name(), policy.entry().in_a_line()));
    }
    text.push_str("\nFlags of a row, which --fail-on takes (besides unknown and unsafe):\n");
    for flag in Flag::ALL {
        text.push_str(&format!("  {}\n      {}\n", flag.name(), flag.entry().in_a_line()));
    }
    text
}

/// The flags as the README lists them.
#[must_use]
pub fn markdown_table() -> String {
    let mut table = String::from("| Flag | A row with it |\n|---|---|\n");
    for flag in Flag::ALL {
        table.push_str(&format!("| `{}` | {} |\n", flag.name(), flag.entry().in_a_line()));
    }
    table
}

/// The policies as the README lists them.
#[must_use]
pub fn policy_table() -> String {
    let mut table = String::from("| Policy | Who may cancel whom |\n|---|---|\n");
    for policy in Policy::ALL {
        table.push_str(&format!("| `{}` | {} |\n", policy.name(), policy.entry().in_a_line()));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    // The names that the format fixes, which the table must hold without exception.
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
