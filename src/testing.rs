//! What tests, benches and fuzz targets use of the inside of the library, and nothing else: so the compiler sees what
//! nothing uses. It is no interface; a test holds that everything in it is used.

pub mod audit {
    pub use crate::audit::run;
    pub mod baseline {
        pub use crate::audit::baseline::{Baseline, write};
    }
    pub mod finding {
        pub use crate::audit::finding::{
            Cause, EntryKind, Evidence, Fate, Finding, Gap, Incident, Input, LogKind, Marked, Moment,
            Reached, Report, Right, StopRecord, Subject, SubjectKind, TimelineEntry, Verdict, ZoneSource,
        };
    }
    pub mod notice {
        pub use crate::audit::notice::{Hidden, NoticeCode};
    }
    pub mod options {
        pub use crate::audit::options::{AuditOptions, Progress};
    }
    pub mod select {
        pub use crate::audit::select::RuleSelection;
    }
    pub mod suppress {
        pub use crate::audit::suppress::{Suppression, apply};
    }
}
pub mod check {
    pub mod plan_check {
        pub use crate::check::plan_check::check;
    }
    pub mod saved_plan {
        pub use crate::check::saved_plan::read;
    }
}
pub mod cli {
    pub use crate::cli::command;
    pub mod commands {
        pub mod generate {
            pub use crate::cli::commands::generate::{generated_files, with_tables};
        }
    }
}
pub mod config {
    pub mod env {
        pub use crate::config::env::Variable;
    }
    pub mod layers {
        pub use crate::config::layers::{Origin, Settings};
    }
    pub mod schema {
        pub use crate::config::schema::{ConfigError, parse};
    }
}
pub mod engine {
    pub mod graph {
        pub use crate::engine::graph::{
            EdgeKind, Graph, NodeKind, Registry, Selection, WarningCode, build, select,
        };
    }
    pub mod overview {
        pub use crate::engine::overview::{RegistryStatus, SessionFlag};
    }
    pub mod plan {
        pub use crate::engine::plan::{
            ExpectedLine, Flag, Outcome, PaneOutcome, PaneState, Plan, PlannedRow, Policy, RevivalKind,
            Summary, Trigger, TriggerKind, WarningCode, plan, plan_as,
        };
    }
    pub mod resolve {
        pub use crate::engine::resolve::{
            Cancel, Class, Container, Resolution, SessionFacts, TurnNature, resolve,
        };
    }
}
pub mod events {
    pub use crate::events::{EventKind, EventReader, Reading, Stream};
}
pub mod fuzzing {
    pub use crate::fuzzing::{SEPARATOR, answers, config, log, parts, saved, wrapped};
}
pub mod logs {
    pub use crate::logs::{LogFile, LogKind, ReadOptions, Reader, Tag, TagTable, ZoneSource, discover};
}
pub mod model {
    pub mod confidence {
        pub use crate::model::confidence::Confidence;
    }
    pub mod counters {
        pub use crate::model::counters::Counters;
    }
    pub mod execution {
        pub use crate::model::execution::{Execution, Membership, Parent, Status, TrackedSource};
    }
    pub mod fact {
        pub use crate::model::fact::{Fact, Judgement, Label, Rule, Source};
    }
    pub mod gap {
        pub use crate::model::gap::{Gap, GapCode};
    }
    pub mod id {
        pub use crate::model::id::{IdKind, RowKind};
    }
    pub mod server {
        pub use crate::model::server::{ServerVersion, VersionSource};
    }
    pub mod session {
        pub use crate::model::session::{Foreground, Session};
    }
    pub mod snapshot {
        pub use crate::model::snapshot::{Origin, Snapshot};
    }
    pub mod status {
        pub use crate::model::status::{Phase, SessionStatus};
    }
    pub mod subject {
        pub use crate::model::subject::SubjectKind;
    }
    pub mod terminal {
        pub use crate::model::terminal::{ProcessState, Terminal, TerminalState};
    }
    pub mod unjudged {
        pub use crate::model::unjudged::Unjudged;
    }
    pub mod words {
        pub use crate::model::words::{Set, Word};
    }
}
pub mod render {
    pub mod audit {
        pub mod concise {
            pub use crate::render::audit::concise::render;
        }
        pub mod csv {
            pub use crate::render::audit::csv::render;
        }
        pub mod findings {
            pub use crate::render::audit::findings::render;
        }
        pub mod github {
            pub use crate::render::audit::github::render;
        }
        pub mod json_v1 {
            pub use crate::render::audit::json_v1::{render, render_lines};
        }
        pub mod junit {
            pub use crate::render::audit::junit::render;
        }
        pub mod markdown {
            pub use crate::render::audit::markdown::render;
        }
        pub mod sarif {
            pub use crate::render::audit::sarif::render;
        }
        pub mod timeline {
            pub use crate::render::audit::timeline::render;
        }
        pub mod view {
            pub use crate::render::audit::view::AuditView;
        }
    }
    pub mod format {
        pub use crate::render::format::Format;
    }
    pub mod graph {
        pub mod diagram {
            pub use crate::render::graph::diagram::{dot, mermaid};
        }
        pub mod facts {
            pub use crate::render::graph::facts::Detail;
        }
        pub mod json_v1 {
            pub use crate::render::graph::json_v1::render;
        }
        pub mod markdown {
            pub use crate::render::graph::markdown::render;
        }
        pub mod table {
            pub use crate::render::graph::table::render;
        }
        pub mod tree {
            pub use crate::render::graph::tree::render;
        }
    }
    pub mod plan {
        pub mod json_v1 {
            pub use crate::render::plan::json_v1::render;
        }
        pub mod view {
            pub use crate::render::plan::view::PlanView;
        }
    }
    pub mod rules {
        pub mod json_v1 {
            pub use crate::render::rules::json_v1::{list, render};
        }
        pub mod table {
            pub use crate::render::rules::table::render;
        }
    }
    pub mod schemas {
        pub use crate::render::schemas::{audit, graph, plan, rules, sessions};
    }
    pub mod sessions {
        pub mod columns {
            pub use crate::render::sessions::columns::Column;
        }
    }
    pub mod text {
        pub mod mask {
            pub use crate::render::text::mask::Content;
        }
        pub mod moment {
            pub use crate::render::text::moment::Clock;
        }
        pub mod source {
            pub use crate::render::text::source::described;
        }
        pub mod style {
            pub use crate::render::text::style::Style;
        }
    }
}
pub mod rules {
    pub use crate::rules::all;
    pub mod custom {
        pub use crate::rules::custom::CustomRule;
    }
    pub mod meta {
        pub use crate::rules::meta::{Certainty, HEADINGS, Maturity, RuleMeta, Severity};
    }
}
pub mod source {
    pub mod recorded {
        pub use crate::source::recorded::answers;
    }
    pub mod saved {
        pub use crate::source::saved::{Document, load};
    }
}
pub mod wire {
    pub mod convert {
        pub use crate::wire::convert::convert;
    }
}
