//! Bytes to lines: sources, time, the scan.
