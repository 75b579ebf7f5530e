//! The recordings and samples that the laws run over: all of them, where they lie beside the project, else the
//! pack that the project carries (`tests/fixtures/pack-recordings.py` makes it). So no law is ever skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The pack, as it lies in the project.
pub(crate) const PACK: &[u8] = include_bytes!("../../fixtures/recordings.tar.zst");

/// Where all of the material lies, if it is there.
pub(crate) fn whole_set() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    folder.join("captures/index.json").is_file().then_some(folder)
}

/// The folder with `captures`, `captures-structured`, `cases` and `logs`.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| whole_set().unwrap_or_else(packed_set))
}

/// The recordings with step panes, and their index.
pub(crate) fn captures() -> PathBuf {
    root().join("captures")
}

/// The pack, unpacked once per content into the build's own folder for tests.
pub(crate) fn packed_set() -> PathBuf {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = parent.join(format!("recordings-{:016x}", fingerprint(PACK)));
    if !folder.is_dir() {
        // Unpacked aside and renamed: a test run that is cut off, or one beside this, leaves no half of a set.
        let aside = tempfile::tempdir_in(parent).expect("a folder can be made");
        let pack = zstd::Decoder::new(PACK).expect("the pack is a zstd file");
        tar::Archive::new(pack).unpack(aside.path()).expect("the pack can be unpacked");
        if let Err(error) = fs::rename(aside.path(), &folder) {
            assert!(folder.is_dir(), "{}: {error}", folder.display());
        }
    }
    folder
}

/// FNV-1a, which does not change between versions of the compiler.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
