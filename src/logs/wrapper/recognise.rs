//! Which wrapper a content is in, by its first block, and whose lines in it are those of a Pulse server.

use super::docker_json::read_record;
use super::journal_export::is_field_name;
use super::kind::WrapperKind;
use super::layer::Layer;
use super::prefix::{is_remark, read_prefix};
use super::pulse_line::is_line_of_pulse;
use super::read::Decoder;
use super::split::Splitter;
use crate::logs::guess::is_nginx_error;
use crate::logs::head::HeadLines;
use crate::logs::shape::LOGRUS_OPENING;
use crate::logs::time::{Stamp, read_standard_stamp};

/// Lines by which a wrapper is known.
const SAMPLE: usize = 400;
/// Wrappers in each other: `docker compose logs -t` is two, the same in a journal three.
const DEPTH: usize = 3;

/// One log inside a wrapped file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrappedLog {
    /// The outermost first.
    pub(crate) layers: Vec<Layer>,
    /// The service that it is of, where the wrapper tells.
    pub(crate) service: Option<String>,
    /// Its first block.
    pub(crate) head: Vec<u8>,
    /// Seconds east of UTC, where the wrapper's times show it.
    pub(crate) offset: Option<i32>,
}

/// What a wrapped file holds.
#[derive(Debug, Default)]
pub(crate) struct Recognised {
    /// The logs of Pulse servers in it.
    pub(crate) logs: Vec<WrappedLog>,
    /// Services in it that are none.
    pub(crate) others: Vec<String>,
}

/// Looks at the first block of a content; `None` where no log of a Pulse server is wrapped in it.
pub(crate) fn recognise(head: &[u8]) -> Option<Recognised> {
    recognise_within(head, DEPTH).filter(|found| !found.logs.is_empty())
}

fn recognise_within(head: &[u8], depth: usize) -> Option<Recognised> {
    let depth = depth.checked_sub(1)?;
    let kind = kind_of(head)?;
    let mut splitter = Splitter::every();
    // What the block ends with may be a piece of a record: it is left alone.
    Decoder::new(kind).push(head, &mut splitter);
    let mut logs = Vec::new();
    let mut others = Vec::new();
    for output in splitter.outputs {
        let name = String::from_utf8_lossy(&output.label).into_owned();
        let service = (!name.is_empty()).then_some(name);
        let layer = Layer { kind, label: output.label, elsewhere: Vec::new() };
        if let Some(inner) = recognise_within(&output.text, depth) {
            others.extend(inner.others);
            logs.extend(inner.logs.into_iter().map(|mut log| {
                log.layers.insert(0, layer.clone());
                log.service = service.clone().or(log.service);
                (likeness(&log.head), log)
            }));
            continue;
        }
        match likeness(&output.text) {
            Likeness::None => others.extend(service),
            likeness => {
                let offset = output.votes.decide();
                logs.push((likeness, WrappedLog { layers: vec![layer], service, head: output.text, offset }));
            }
        }
    }
    // Another Go program stamps its lines alike; it is read only where no service speaks as a server does.
    let best = logs.iter().map(|(likeness, _)| *likeness).max()?;
    let (logs, unlike): (Vec<_>, Vec<_>) = logs.into_iter().partition(|(likeness, _)| *likeness == best);
    others.extend(unlike.into_iter().filter_map(|(_, log)| log.service));
    let mut logs: Vec<WrappedLog> = logs.into_iter().map(|(_, log)| log).collect();
    let labels: Vec<Vec<u8>> =
        logs.iter().filter_map(|log| log.layers.first()).map(|layer| layer.label.clone()).collect();
    for layer in logs.iter_mut().filter_map(|log| log.layers.first_mut()) {
        layer.elsewhere = labels.clone();
    }
    others.sort();
    Some(Recognised { logs, others })
}

/// The wrapper that most of the first lines are in.
fn kind_of(head: &[u8]) -> Option<WrapperKind> {
    // Chunks of a plain log are passed over: a model may quote any wrapper.
    let lines: Vec<&[u8]> = HeadLines::new(head)
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty())
        .take(SAMPLE)
        .collect();
    let most = |count: usize| count * 2 > lines.len();
    let fields = |line: &&&[u8]| {
        let name = line.split(|&byte| byte == b'=').next().unwrap_or_default();
        is_field_name(name)
    };
    let stamps = lines.iter().filter(|line| line.starts_with(b"__REALTIME_TIMESTAMP=")).count();
    if stamps > 0 && most(lines.iter().filter(fields).count()) {
        return Some(WrapperKind::JournalExport);
    }
    WrapperKind::OF_LINES.into_iter().find(|&kind| {
        let is_record = |line: &&&[u8]| match kind {
            WrapperKind::DockerJson => read_record(line).is_some(),
            kind => read_prefix(kind, line).is_some(),
        };
        let remarks = lines.iter().filter(|line| is_remark(kind, line)).count();
        let records = lines.iter().filter(is_record).count();
        records > 0 && most(records + remarks)
    })
}

/// How much a text looks like the log of a Pulse server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// No line is stamped as the server stamps them.
    None,
    /// Lines are stamped as those of any Go program are.
    Stamped,
    /// A line begins as only the server's do.
    Marked,
}

fn likeness(head: &[u8]) -> Likeness {
    let mut likeness = Likeness::None;
    for line in HeadLines::new(head) {
        if is_line_of_pulse(line) {
            return Likeness::Marked;
        }
        let is_stamped = matches!(read_standard_stamp(line), Stamp::Wall(_))
            && !is_nginx_error(&String::from_utf8_lossy(line.get(..128).unwrap_or(line)));
        if is_stamped || line.starts_with(LOGRUS_OPENING) {
            likeness = Likeness::Stamped;
        }
    }
    likeness
}
