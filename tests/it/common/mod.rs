//! What several subjects share.

pub(crate) mod recordings;
pub(crate) mod report;
pub(crate) mod wrappers;

/// The program in an empty environment.
pub(crate) fn pulsectl() -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pulsectl"));
    command.env_clear().env("LANG", "C.UTF-8");
    command
}
