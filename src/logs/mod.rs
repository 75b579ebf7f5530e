//! Bytes to lines: sources, time, the scan. (placeholder types; replaced on merge)
#![allow(missing_docs)]
pub type TagId = usize;
#[derive(Debug, Clone, Copy)]
pub struct Tag {
    pub text: &'static str,
    pub literals: &'static [&'static str],
    pub plain: bool,
    pub raw_text: bool,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Plain,
    Standard,
    Logrus,
}
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub input: usize,
    pub line: u64,
    pub offset: u64,
    pub length: u64,
}
#[derive(Debug)]
pub struct Line<'a> {
    pub tag: TagId,
    pub place: Place,
    pub shape: Shape,
    pub text: &'a [u8],
    pub cut: bool,
    pub context: &'a [u8],
    pub message: &'a [u8],
    pub quoted: bool,
    pub wall: Option<i64>,
    pub zone_offset: i32,
}
