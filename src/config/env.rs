//! Every environment variable that pulsectl itself reads, once: its name and what it does. `config show`, the help,
//! the manual pages and the README take both from here.

/// An environment variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
}

impl Variable {
    /// Its value; an empty one, or one that is not UTF-8, is none.
    #[must_use]
    pub fn value(self) -> Option<String> {
        std::env::var(self.name).ok().filter(|value| !value.is_empty())
    }

    /// Whether it is there at all, be it empty.
    #[must_use]
    pub fn is_present(self) -> bool {
        std::env::var_os(self.name).is_some()
    }

    /// Whether it is set to anything, be it no UTF-8.
    #[must_use]
    pub fn is_set(self) -> bool {
        std::env::var_os(self.name).is_some_and(|value| !value.is_empty())
    }
}

macro_rules! variables {
    ($( $constant:ident = $name:literal: $meaning:literal; )+) => {
        $( #[doc = $meaning] pub const $constant: Variable = Variable { name: $name, meaning: $meaning }; )+

        /// Every variable, in the order in which they are shown.
        pub const ALL: &[Variable] = &[$( $constant, )+];
    };
}

variables! {
    SERVER = "PULSECTL_SERVER": "the server to read, where --server names none";
    TOKEN = "PULSECTL_TOKEN": "a token for PULSECTL_SERVER, if no --token-file";
    FAIL_ON = "PULSECTL_FAIL_ON": "the setting audit.fail_on";
    MIN_SEVERITY = "PULSECTL_MIN_SEVERITY": "the setting audit.min_severity";
    TIME_ZONE = "PULSECTL_TIME_ZONE": "the setting audit.time_zone";
    ONLY = "PULSECTL_ONLY": "the setting audit.only, comma-separated";
    SKIP = "PULSECTL_SKIP": "the setting audit.skip, comma-separated";
    STOP_GRACE = "PULSECTL_STOP_GRACE": "the setting thresholds.stop_grace";
    CANCEL_LAG = "PULSECTL_CANCEL_LAG": "the setting thresholds.cancel_lag";
    DEAD_PANE_GAP = "PULSECTL_DEAD_PANE_GAP": "the setting thresholds.dead_pane_gap";
    SELF_KILL_WINDOW = "PULSECTL_SELF_KILL_WINDOW": "the setting thresholds.self_kill_window";
    NO_COLOR = "NO_COLOR": "no colour, unless --color says otherwise";
    CLICOLOR_FORCE = "CLICOLOR_FORCE": "colour, even where the output is no terminal";
    FORCE_COLOR = "FORCE_COLOR": "the same";
    TERM = "TERM": "no colour where it is dumb";
    COLUMNS = "COLUMNS": "the width of the terminal";
    LC_ALL = "LC_ALL": "whether other characters than ASCII are shown";
    LC_CTYPE = "LC_CTYPE": "the same, where LC_ALL is not set";
    LANG = "LANG": "the same, where neither is set";
    CI = "CI": "no progress bar";
    GITHUB_STEP_SUMMARY = "GITHUB_STEP_SUMMARY": "the file to which -o github adds its table";
}

/// The variables as a section of the help.
#[must_use]
pub fn help() -> String {
    let width = ALL.iter().map(|variable| variable.name.len()).max().unwrap_or(0);
    let mut text = String::from("Environment:\n");
    for variable in ALL {
        text.push_str(&format!("  {:<width$}  {}\n", variable.name, variable.meaning));
    }
    text
}

/// The variables as the README lists them.
#[must_use]
pub fn markdown_table() -> String {
    let mut table = String::from("| Variable | What it does |\n|---|---|\n");
    for variable in ALL {
        table.push_str(&format!("| `{}` | {} |\n", variable.name, variable.meaning));
    }
    table
}
