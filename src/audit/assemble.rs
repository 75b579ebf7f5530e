//! From cases and what the rules say of them to findings, incidents and stops.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::custom::KEPT_PER_RULE;
use super::evidence::{evidence, moment};
use super::finding::{Finding, Incident, Moment, Report, StopRecord, TimelineEntry, Verdict};
use super::fingerprint::fingerprint;
use super::stop;
use super::timeline;
use crate::model::thresholds::Thresholds;
use crate::replay::account::{self, Entry};
use crate::replay::case::{KillFailure, MinorStop};
use crate::replay::episode::EvidenceEnd;
use crate::replay::{Case, Cause, Episode};
use crate::rules::meta::{Certainty, Severity};
use crate::rules::{self, Hit};

/// Which results a person asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Filter {
    /// A session's id or a beginning of it.
    pub(super) session: Option<String>,
    /// Lower-case text to look for in runs, groups, workflows, schedules and titles.
    pub(super) matching: Option<String>,
}

impl Filter {
    /// Whether a line of this session counts; one that names none counts only where no session was asked for.
    pub(super) fn wants_session(&self, session: Option<&str>) -> bool {
        let Some(prefix) = &self.session else { return true };
        session.is_some_and(|session| session.starts_with(prefix.as_str()))
    }

    fn wants(&self, session: &str, labels: &BTreeSet<Arc<str>>, hits: &[Hit]) -> bool {
        if !self.wants_session(Some(session)) {
            return false;
        }
        let Some(text) = &self.matching else { return true };
        labels.iter().any(|label| label.to_lowercase().contains(text))
            || hits
                .iter()
                .flat_map(|hit| &hit.subjects)
                .any(|subject| subject.id.to_lowercase().contains(text))
    }
}

/// Where a case belongs: its session and the UTC second at which it began.
type Key = (Arc<str>, i64);

#[derive(Debug)]
struct StopEntry {
    record: StopRecord,
    /// UTC second of the last line that asked for it.
    second: i64,
    /// Whether the rules looked at everything that the grace time needs.
    covered: bool,
    /// The incident that its findings, those of other cases too, belong to.
    of_incident: String,
}

/// Collects results; bounded by the number of stops and findings, not by the size of the log.
#[derive(Debug)]
pub(super) struct Assembler {
    thresholds: Thresholds,
    filter: Filter,
    with_timeline: bool,
    findings: BTreeMap<String, Finding>,
    titles: BTreeMap<String, (Arc<str>, String)>,
    stops: Vec<StopEntry>,
    stop_index: BTreeMap<Key, usize>,
    timeline: Vec<TimelineEntry>,
    /// Whether any case was wanted by the filter.
    labels_seen: bool,
    custom_kept: BTreeMap<String, usize>,
    custom_cut: u64,
    /// How many findings of a rule each incident has.
    of_rule: BTreeMap<(String, &'static str), u64>,
    /// Those that only count, by incident and rule: the first of them stands for all.
    counted: BTreeMap<(String, &'static str), Counted>,
    stops_omitted: u64,
    lines_dropped: u64,
}

/// Findings that are not listed one by one.
#[derive(Debug)]
struct Counted {
    first: Finding,
    count: u64,
}

/// Findings of one rule in one incident that are listed one by one.
const LISTED_OF_A_RULE: u64 = 64;
/// Findings of one server that are listed one by one; beyond, each rule has one more that counts.
const LISTED_FINDINGS: usize = 16_384;
/// Stops of one server that are listed; the rest are counted.
const LISTED_STOPS: usize = 16_384;

impl Assembler {
    pub(super) fn new(thresholds: Thresholds, filter: Filter, with_timeline: bool) -> Self {
        Self {
            thresholds,
            filter,
            with_timeline,
            findings: BTreeMap::new(),
            titles: BTreeMap::new(),
            stops: Vec::new(),
            stop_index: BTreeMap::new(),
            timeline: Vec::new(),
            labels_seen: false,
            custom_kept: BTreeMap::new(),
            custom_cut: 0,
            of_rule: BTreeMap::new(),
            counted: BTreeMap::new(),
            stops_omitted: 0,
            lines_dropped: 0,
        }
    }

    /// Judges one case and keeps what is wanted of it.
    pub(super) fn add(&mut self, case: &Case) {
        let hits = rules::judge(case, &self.thresholds);
        let (session, labels): (&str, &BTreeSet<Arc<str>>) = match case {
            Case::Stop(episode) => (&episode.session, &episode.labels),
            Case::Minor(minor) => (&minor.session, &minor.labels),
            Case::PaneLoss(loss) => (&loss.session, &loss.labels),
            Case::PaneSign(sign) => (&sign.session, &sign.labels),
            Case::KillFailure(failure) => (failure.session.as_deref().unwrap_or_default(), &failure.labels),
            Case::CompletionLoss(loss) => (&loss.session, &loss.labels),
            Case::LatentDeath(latent) => (&latent.session, &latent.labels),
            Case::ShellLoss(loss) => (&loss.session, &loss.labels),
        };
        if !self.filter.wants(session, labels, &hits) {
            return;
        }
        self.labels_seen = true;
        let (key, title) = match case {
            Case::Stop(episode) => (episode.key(), episode.cause.words().to_owned()),
            Case::Minor(minor) => {
                ((minor.session.clone(), minor.opener.utc()), minor.cause.words().to_owned())
            }
            // It belongs to the stop that wanted the pane closed.
            Case::KillFailure(KillFailure { stop: Some(stop), .. }) => {
                ((session.into(), *stop), String::new())
            }
            _ => {
                let first = hits.iter().flat_map(|hit| &hit.evidence).map(|proof| proof.event.utc()).min();
                let Some(first) = first else { return };
                ((session.into(), first), String::new())
            }
        };
        let incident = self.add_hits(&hits, &key, &title);
        match case {
            Case::Stop(episode) => self.add_stop(episode, &hits, key, incident.unwrap_or_default()),
            Case::Minor(minor) => self.add_minor(minor, &hits, key, incident.unwrap_or_default()),
            _ => {}
        }
        if self.with_timeline
            && let Case::Stop(episode) = case
        {
            let relevant = self.filter.session.is_some()
                || self.filter.matching.is_some()
                || hits.iter().any(|hit| hit.severity > Severity::Info);
            if relevant {
                self.timeline.extend(timeline::of_episode(episode));
            }
        }
    }

    /// Adds a finding of one of the user's own rules.
    pub(super) fn add_custom(&mut self, finding: Finding) {
        if self.filter.session.as_ref().is_some_and(|prefix| !finding.session.starts_with(prefix.as_str())) {
            return;
        }
        let kept = self.custom_kept.entry(finding.rule.clone()).or_default();
        if *kept >= KEPT_PER_RULE {
            self.custom_cut += 1;
            return;
        }
        *kept += 1;
        self.titles.insert(finding.incident.clone(), (finding.session.as_str().into(), String::new()));
        self.findings.entry(finding.fingerprint.clone()).or_insert(finding);
    }

    /// How many findings of the user's own rules were not kept.
    pub(super) fn custom_cut(&self) -> u64 {
        self.custom_cut
    }

    /// Turns hits into findings of one incident; gives the incident's id where there is any finding.
    fn add_hits(&mut self, hits: &[Hit], key: &Key, title: &str) -> Option<String> {
        if hits.is_empty() {
            return None;
        }
        let start = key.1.to_string();
        let incident = incident_of(key);
        for hit in hits {
            let finding = finding(hit, &start, &incident);
            if let Some(known) = self.findings.get_mut(&finding.fingerprint) {
                // The later part of an episode repeats what was reported; the surer one stays.
                if (known.severity, known.confidence) < (finding.severity, finding.confidence) {
                    *known = finding;
                }
            } else if self.has_room_for(&incident, hit.code) {
                self.findings.insert(finding.fingerprint.clone(), finding);
            } else {
                self.count_in(&incident, hit.code, finding);
            }
        }
        let known = self.titles.entry(incident.clone()).or_insert_with(|| (key.0.clone(), title.to_owned()));
        if known.1.is_empty() {
            title.clone_into(&mut known.1);
        }
        Some(incident)
    }

    /// Whether a further finding of a rule is listed.
    fn has_room_for(&mut self, incident: &str, code: &'static str) -> bool {
        if self.findings.len() >= LISTED_FINDINGS {
            return false;
        }
        let of_rule = self.of_rule.entry((incident.to_owned(), code)).or_default();
        *of_rule += 1;
        *of_rule <= LISTED_OF_A_RULE
    }

    /// Counts a finding that is not listed; where too many are listed, with those of all incidents.
    fn count_in(&mut self, incident: &str, code: &'static str, finding: Finding) {
        let incident = if self.findings.len() >= LISTED_FINDINGS { "" } else { incident };
        let counted = self.counted.entry((incident.to_owned(), code));
        let counted = counted.or_insert_with(|| Counted { first: finding.clone(), count: 0 });
        counted.count += 1;
        if finding.severity > counted.first.severity {
            counted.first = finding;
        }
    }

    /// What was counted becomes one finding each.
    fn list_counted(&mut self) {
        for (_, Counted { mut first, count }) in std::mem::take(&mut self.counted) {
            if count > 1 {
                first.claim = format!("{count} more of these, of which this is one: {}", first.claim);
                first.subjects.clear();
            }
            self.titles
                .entry(first.incident.clone())
                .or_insert_with(|| (first.session.as_str().into(), String::new()));
            self.findings.insert(first.fingerprint.clone(), first);
        }
    }

    /// How many stops are not listed, and how many lines of stops were not kept.
    pub(super) fn omitted(&self) -> (u64, u64) {
        (self.stops_omitted, self.lines_dropped)
    }

    fn add_stop(&mut self, episode: &Episode, hits: &[Hit], key: Key, incident: String) {
        let above_info = hits.iter().any(|hit| hit.severity > Severity::Info);
        if let Some(&index) = self.stop_index.get(&key)
            && let Some(entry) = self.stops.get_mut(index)
        {
            if above_info {
                entry.record.verdict = Verdict::Findings;
            }
            if entry.record.incident.is_empty() {
                entry.record.incident = incident;
            }
            return;
        }
        self.lines_dropped += episode.lines_dropped;
        if self.stops.len() >= LISTED_STOPS {
            self.stops_omitted += 1;
            return;
        }
        // Nothing works on after the process, and a later stop has an account of its own.
        let is_over =
            matches!(episode.evidence_end_reason, EvidenceEnd::NextStop | EvidenceEnd::ProcessEnded);
        let covered = episode.covers(self.thresholds.stop_grace) || is_over && !episode.hole;
        let account = account::of_episode(episode, &self.thresholds);
        let known = covered && episode.knows_its_rows();
        let verdict = verdict(above_info, known, &account);
        let record = stop::of_episode(episode, &account, verdict, incident);
        let of_incident = incident_of(&key);
        self.stop_index.insert(key, self.stops.len());
        self.stops.push(StopEntry { record, second: episode.last_second(), covered: true, of_incident });
    }

    fn add_minor(&mut self, minor: &MinorStop, hits: &[Hit], key: Key, incident: String) {
        if self.stops.len() >= LISTED_STOPS {
            self.stops_omitted += 1;
            return;
        }
        let above_info = hits.iter().any(|hit| hit.severity > Severity::Info);
        let account = account::of_minor(minor, &self.thresholds);
        let known =
            minor.knows_its_rows() && minor.confirmed && minor.evidence_end_reason != EvidenceEnd::Evicted;
        let verdict = verdict(above_info, known, &account);
        let record = stop::of_minor(minor, &account, verdict, incident);
        let of_incident = incident_of(&key);
        self.stop_index.entry(key).or_insert(self.stops.len());
        self.stops.push(StopEntry {
            record,
            second: minor.opener.utc(),
            covered: minor.cause == Cause::Shutdown,
            of_incident,
        });
    }

    /// The log of one server is read to its end: what lies too close to the end or to a hole can't be judged.
    /// Nor can a stop in the very second in which a log begins in mid-process (`cut_head`): its own lines may
    /// stand before the first one.
    pub(super) fn close_group(&mut self, end: i64, holes: &[i64], cut_head: Option<i64>) {
        let grace = self.thresholds.stop_grace;
        for entry in &mut self.stops {
            let near_end = !entry.covered && end - entry.second < grace;
            let near_hole = holes.iter().any(|hole| (entry.second..=entry.second + grace).contains(hole));
            let at_cut_head = cut_head.is_some_and(|begin| entry.second <= begin);
            if entry.record.verdict == Verdict::Clean && (near_end || near_hole || at_cut_head) {
                entry.record.verdict = Verdict::Inconclusive;
            }
            entry.covered = true;
        }
        for finding in self.findings.values_mut() {
            let first = finding.first_time.utc;
            if holes.iter().any(|hole| (first..=first + grace).contains(hole)) {
                finding.confidence = finding.confidence.lowered();
            }
        }
    }

    /// Findings lose a step of confidence where sessions had to be forgotten.
    pub(super) fn lower_confidence(&mut self) {
        for finding in self.findings.values_mut() {
            finding.confidence = finding.confidence.lowered();
        }
    }

    /// Whether any case was wanted by the filter.
    pub(super) fn has_matched(&self) -> bool {
        self.labels_seen
    }

    /// Hands everything over: a report of what was judged, without inputs and gaps.
    pub(super) fn finish(mut self) -> Report {
        self.list_counted();
        // A finding of another case may belong to a stop, such as the pane that it could not close.
        let above_info = self.findings.values().filter(|finding| finding.severity > Severity::Info);
        let blamed: BTreeSet<&str> = above_info.map(|finding| finding.incident.as_str()).collect();
        for entry in &mut self.stops {
            if blamed.contains(entry.of_incident.as_str()) {
                entry.record.verdict = Verdict::Findings;
                entry.record.incident.clone_from(&entry.of_incident);
            }
        }
        let findings: Vec<Finding> = self.findings.into_values().collect();
        let mut by_incident: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
        for finding in &findings {
            by_incident.entry(&finding.incident).or_default().push(finding);
        }
        let mut incidents: Vec<Incident> = Vec::new();
        for (id, (session, title)) in self.titles {
            let Some(members) = by_incident.get(&*id) else { continue };
            let Some(worst) = members.iter().max_by(|left, right| order(right, left)) else { continue };
            let first_time =
                members.iter().map(|finding| finding.first_time).min().unwrap_or(worst.first_time);
            let last_time = members.iter().map(|finding| finding.last_time).max().unwrap_or(worst.last_time);
            let title =
                if title.is_empty() { worst.name.clone() } else { format!("{}: {}", title, worst.name) };
            incidents.push(Incident {
                id,
                title,
                session: session.to_string(),
                first_time,
                last_time,
                severity: worst.severity,
                findings: members.iter().map(|finding| finding.fingerprint.clone()).collect(),
            });
        }
        let stops = self.stops.into_iter().map(|entry| entry.record).collect();
        Report { findings, incidents, stops, timeline: self.timeline, ..Report::default() }
    }
}

/// The id of the incident of a case.
fn incident_of(key: &Key) -> String {
    format!("incident-{}", fingerprint(&[&key.0, &key.1.to_string()]))
}

/// A stop is clean only if everything that it needs is known and each entry of its account is proved.
fn verdict(above_info: bool, known: bool, account: &[Entry]) -> Verdict {
    if above_info {
        Verdict::Findings
    } else if known && account.iter().all(Entry::is_proved) {
        Verdict::Clean
    } else {
        Verdict::Inconclusive
    }
}

/// Worst first, then by time.
fn order(left: &Finding, right: &Finding) -> std::cmp::Ordering {
    (right.severity, left.first_time.utc, &left.rule, &left.fingerprint).cmp(&(
        left.severity,
        right.first_time.utc,
        &right.rule,
        &right.fingerprint,
    ))
}

/// Adds what was judged of a further server. What both tell, as two names of one log do, stands once.
pub(super) fn merge(report: &mut Report, server: Report) {
    let mut known: BTreeSet<String> = report.findings.iter().map(|known| known.fingerprint.clone()).collect();
    report.findings.extend(server.findings.into_iter().filter(|new| known.insert(new.fingerprint.clone())));
    let mut known: BTreeSet<String> = report.incidents.iter().map(|known| known.id.clone()).collect();
    report.incidents.extend(server.incidents.into_iter().filter(|new| known.insert(new.id.clone())));
    report.stops.extend(server.stops);
    for (what, count) in server.unjudged {
        *report.unjudged.entry(what).or_default() += count;
    }
    report.timeline.extend(server.timeline);
}

/// Sorts a report that is complete: the worst first, stops and timeline by time.
pub(super) fn sort(report: &mut Report) {
    report.findings.sort_by(order);
    let place: BTreeMap<&str, usize> = report
        .findings
        .iter()
        .enumerate()
        .map(|(place, finding)| (finding.fingerprint.as_str(), place))
        .collect();
    for incident in &mut report.incidents {
        incident.findings.sort_by_key(|fingerprint| place.get(fingerprint.as_str()).copied());
    }
    report.incidents.sort_by(|left, right| {
        (right.severity, left.first_time.utc, &left.id).cmp(&(left.severity, right.first_time.utc, &right.id))
    });
    report.stops.sort_by(|left, right| (left.time.utc, &left.session).cmp(&(right.time.utc, &right.session)));
    report.timeline.sort_by_key(|entry| (entry.time.utc, entry.evidence.input, entry.evidence.line));
    report.timeline.dedup_by_key(|entry| (entry.evidence.input, entry.evidence.line));
}

fn finding(hit: &Hit, start: &str, incident: &str) -> Finding {
    let mut identity: Vec<&str> = hit.identity.iter().map(AsRef::as_ref).collect();
    identity.sort_unstable();
    if identity.is_empty() {
        identity.push(start);
    }
    let mut parts = vec![hit.code, &*hit.session];
    parts.extend(identity);
    let mut proofs: Vec<_> = hit.evidence.iter().collect();
    proofs.sort_by_key(|proof| (proof.event.utc(), proof.event.stream, proof.event.position));
    let times: Vec<Moment> = proofs.iter().map(|proof| moment(&proof.event)).collect();
    let first_time = times.iter().min().copied().unwrap_or(Moment { utc: 0, offset: 0 });
    let last_time = times.iter().max().copied().unwrap_or(first_time);
    Finding {
        rule: hit.code.to_owned(),
        name: rules::find(hit.code).map(|meta| meta.name).unwrap_or_default().to_owned(),
        severity: hit.severity,
        confidence: hit.confidence.max(Certainty::Candidate),
        session: hit.session.to_string(),
        subjects: hit.subjects.clone(),
        first_time,
        last_time,
        claim: hit.claim.clone(),
        evidence: proofs.iter().map(|proof| evidence(&proof.event, &proof.role)).collect(),
        ruled_out: hit.ruled_out.clone(),
        next_action: hit.next_action.clone(),
        fingerprint: fingerprint(&parts),
        incident: incident.to_owned(),
    }
}
