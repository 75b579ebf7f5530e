//! The list of sessions as CSV.

use super::columns::{Column, value};
use super::view::SessionsView;
use crate::render::machine::csv::guarded;

/// The list as CSV, always with its headings' order; a value that a spreadsheet would run is guarded.
///
/// # Errors
/// When a record cannot be encoded.
pub fn render(view: &SessionsView<'_>) -> Result<String, csv::Error> {
    let options = view.options(&Column::ALL);
    let mut writer = csv::Writer::from_writer(Vec::new());
    if options.headings {
        writer.write_record(options.columns.iter().map(|column| column.name()))?;
    }
    for session in view.sessions {
        let values = options.columns.iter().map(|column| value(session, *column, &options));
        writer.write_record(values.map(|value| guarded(&value)))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
