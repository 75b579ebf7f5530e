//! What the names of steps, items and sub-agent sessions say of each other.

/// The step's name in `exec-<step>-<ns>`.
pub(super) fn step_name(exec: &str) -> Option<&str> {
    let (step, _) = exec.strip_prefix("exec-")?.rsplit_once('-')?;
    Some(step)
}

/// Whether an item's id `msgseq-<step≤48>-<item≤48>-<ns>` begins with this step.
pub(super) fn item_is_of_step(item: &str, step: &str) -> bool {
    let step = step.get(..48).unwrap_or(step);
    item.strip_prefix("msgseq-")
        .and_then(|rest| rest.strip_prefix(step))
        .is_some_and(|rest| rest.starts_with('-'))
}

/// What a sub-agent session's name and working directory say: the step, whether the item is one of a full
/// run (the group's name stands twice) and the run folder `<iteration>/<group>`
/// (server-behaviour.md#what-the-log-prints).
pub(super) fn read_sub_session<'a>(sub_session: &'a str, path: &str) -> Option<(&'a str, bool, String)> {
    let name = sub_session.strip_prefix("msgseq-")?;
    let (_, run_path) = path.split_once("/runs/")?;
    let mut parts = run_path.split('/');
    let iteration = parts.next()?;
    let group = parts.next().filter(|part| *part != "execution");
    let (head, folder, full_run) = match group {
        Some(group) => {
            let twice = format!("{iteration}-{group}-{group}-step-");
            let once = format!("{iteration}-{group}-step-");
            let folder = format!("{iteration}/{group}");
            if name.starts_with(&twice) { (twice, folder, true) } else { (once, folder, false) }
        }
        None => (format!("{iteration}-step-"), iteration.to_owned(), false),
    };
    let rest = name.strip_prefix(&head)?;
    let (number, step) = rest.split_once('-')?;
    number.parse::<u32>().ok()?;
    (!step.is_empty()).then_some((step, full_run, folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_directory_tells_a_full_run_from_a_detached_step() {
        // Lines of the recordings terminal-death-mixed and terminal-death-ist-blanks.
        assert_eq!(
            read_sub_session(
                "msgseq-iteration-0-group-1-group-1-step-1-collect-invoices",
                "Workflow/invoice-sync/runs/iteration-0/group-1/execution"
            ),
            Some(("collect-invoices", true, "iteration-0/group-1".to_owned()))
        );
        assert_eq!(
            read_sub_session(
                "msgseq-iteration-0-group-2-step-2-reconcile",
                "Workflow/invoice-sync/runs/iteration-0/group-2/execution"
            ),
            Some(("reconcile", false, "iteration-0/group-2".to_owned()))
        );
        assert_eq!(
            read_sub_session(
                "msgseq-iteration-0-north-region-north-region-step-1-verify-totals-usd-inr",
                "Workflow/vendor payments/runs/iteration-0/north-region/execution"
            ),
            Some(("verify-totals-usd-inr", true, "iteration-0/north-region".to_owned()))
        );
        assert_eq!(read_sub_session("msgseq-x", "Workflow/w"), None);
    }

    #[test]
    fn long_step_names_are_compared_by_their_first_48_characters() {
        let step = "a".repeat(60);
        let item = format!("msgseq-{}-fetch-1796008500334093566", "a".repeat(48));
        assert!(item_is_of_step(&item, &step));
        assert!(!item_is_of_step("msgseq-collect-more-fetch-1", "collect-m"));
    }
}
