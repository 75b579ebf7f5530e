//! The gaps of a snapshot on stderr.

use super::ui::Ui;
use crate::engine::graph::warning::is_note;
use crate::model::gap::Gap;
use crate::render::text::style::counted;

/// How many gaps are written out for a person; the rest is counted.
const GAPS_SHOWN: usize = 8;

/// Writes gaps of a snapshot to stderr, each once, as notes or warnings.
pub(super) fn tell_gaps<'a>(gaps: impl Iterator<Item = &'a Gap>, ui: &mut Ui) {
    let mut lines: Vec<(bool, String)> = gaps.map(|gap| (is_note(gap.code), line(gap))).collect();
    // Warnings first, so that none of them is among those that are only counted.
    lines.sort();
    lines.dedup();
    for (is_note, line) in lines.iter().take(GAPS_SHOWN) {
        if *is_note {
            ui.note(line);
        } else {
            ui.warn(line);
        }
    }
    let hidden = lines.len().saturating_sub(GAPS_SHOWN);
    if hidden > 0 {
        ui.warn(&format!("{}; -o json lists them all", counted(hidden as u64, "more gap")));
    }
}

fn line(gap: &Gap) -> String {
    let code = gap.code.name();
    match &gap.session {
        Some(session) => format!("{code}: {session} - {}", gap.message),
        None => format!("{code}: {}", gap.message),
    }
}
