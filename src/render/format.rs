//! The output formats by name, whichever command has them.

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Words for a person.
    Text,
    /// Trees for a person.
    Tree,
    /// One line per thing, in columns.
    Table,
    /// A table with every column.
    Wide,
    /// One line per finding.
    Concise,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// The same as the JSON document, as YAML.
    Yaml,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// Annotations of GitHub.
    Github,
    /// Markdown.
    Markdown,
    /// Comma-separated values.
    Csv,
    /// A graph of Graphviz.
    Dot,
    /// A flowchart of Mermaid.
    Mermaid,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 15] = [
        Self::Text,
        Self::Tree,
        Self::Table,
        Self::Wide,
        Self::Concise,
        Self::Json,
        Self::Jsonl,
        Self::Yaml,
        Self::Sarif,
        Self::Junit,
        Self::Github,
        Self::Markdown,
        Self::Csv,
        Self::Dot,
        Self::Mermaid,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Tree => "tree",
            Self::Table => "table",
            Self::Wide => "wide",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Yaml => "yaml",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether a program reads it as a whole: then it is alone on stdout, and errors are written as JSON too.
    #[must_use]
    pub fn is_machine(self) -> bool {
        match self {
            Self::Json
            | Self::Jsonl
            | Self::Yaml
            | Self::Sarif
            | Self::Junit
            | Self::Csv
            | Self::Dot
            | Self::Mermaid => true,
            Self::Text
            | Self::Tree
            | Self::Table
            | Self::Wide
            | Self::Concise
            | Self::Github
            | Self::Markdown => false,
        }
    }
}
