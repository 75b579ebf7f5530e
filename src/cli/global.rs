//! Options that mean the same in every command.

use clap::{Args, ValueEnum};

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Options that mean the same in every command.
#[derive(Debug, Clone, Args)]
pub struct GlobalOptions {
    /// Colour in the output
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN", help_heading = "Global options")]
    pub color: ColorChoice,
    /// No progress bar, no hints on stderr
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// More detail on stderr (-vv: still more)
    #[arg(long, short, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    pub verbose: u8,
}
