//! The output formats by name, whichever command has them.

use crate::model::words::words;

words! {
    /// An output format, by its name in `-o`.
    pub enum Format {
        /// Words for a person.
        Text = "text",
        /// Trees for a person.
        Tree = "tree",
        /// One line per thing, in columns.
        Table = "table",
        /// A table with every column.
        Wide = "wide",
        /// One line per finding.
        Concise = "concise",
        /// One JSON document.
        Json = "json",
        /// One JSON object per line.
        Jsonl = "jsonl",
        /// The same as the JSON document, as YAML.
        Yaml = "yaml",
        /// SARIF 2.1.0.
        Sarif = "sarif",
        /// JUnit XML.
        Junit = "junit",
        /// Annotations of GitHub.
        Github = "github",
        /// Markdown.
        Markdown = "markdown",
        /// Comma-separated values.
        Csv = "csv",
        /// A graph of Graphviz.
        Dot = "dot",
        /// A flowchart of Mermaid.
        Mermaid = "mermaid",
    }
}

impl Format {
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
