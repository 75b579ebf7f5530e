//! The rules, one file each. To add one: write the file, add its name to the one list below.

mod cancelled_kept_running;
mod capacity_wall;
mod collateral_cancel;
mod completion_lost;
pub mod custom;
mod dead_pane_undetected;
mod dispatch_after_stop;
mod hit;
mod late_registration_after_stop;
pub mod meta;
mod no_cancel_func;
mod nothing_to_stop;
mod pane_loss_counted_as_done;
pub mod registry;
mod registry_wiped_without_cancel;
mod relaunch_after_stop;
mod self_inflicted_pane_death;
mod shell_outlives_stop;
mod stale_terminal_record;
mod status_only_stop;
mod status_resurrected;
mod stop_teardown_incomplete;
mod stopped_session_reactivated;
mod teardown_kill_failed;
mod unexplained_pane_death;
mod work_after_stop;

pub use hit::Hit;
pub use registry::{Rule, all, find, judge};

/// The one list, in the order of the codes.
const RULES: &[Rule] = &[
    no_cancel_func::NO_CANCEL_FUNC,
    relaunch_after_stop::RELAUNCH_AFTER_STOP,
    work_after_stop::WORK_AFTER_STOP,
    dispatch_after_stop::DISPATCH_AFTER_STOP,
    collateral_cancel::COLLATERAL_CANCEL,
    status_only_stop::STATUS_ONLY_STOP,
    status_resurrected::STATUS_RESURRECTED,
    stopped_session_reactivated::STOPPED_SESSION_REACTIVATED,
    stop_teardown_incomplete::STOP_TEARDOWN_INCOMPLETE,
    late_registration_after_stop::LATE_REGISTRATION_AFTER_STOP,
    cancelled_kept_running::CANCELLED_KEPT_RUNNING,
    teardown_kill_failed::TEARDOWN_KILL_FAILED,
    registry_wiped_without_cancel::REGISTRY_WIPED_WITHOUT_CANCEL,
    completion_lost::COMPLETION_LOST,
    dead_pane_undetected::DEAD_PANE_UNDETECTED,
    self_inflicted_pane_death::SELF_INFLICTED_PANE_DEATH,
    nothing_to_stop::NOTHING_TO_STOP,
    capacity_wall::CAPACITY_WALL,
    unexplained_pane_death::UNEXPLAINED_PANE_DEATH,
    stale_terminal_record::STALE_TERMINAL_RECORD,
    pane_loss_counted_as_done::PANE_LOSS_COUNTED_AS_DONE,
    shell_outlives_stop::SHELL_OUTLIVES_STOP,
];
