use std::io::Cursor;

use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::supervise::pack::pack;
use growth::{assert_linear, repeated};

fn zip(build: impl FnOnce(&mut ZipWriter<Cursor<Vec<u8>>>)) -> Cursor<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    build(&mut zip);
    zip.finish().unwrap()
}

fn plain() -> SimpleFileOptions {
    SimpleFileOptions::default()
}

#[test]
fn a_packed_workspace_returns_with_modes_links_and_empty_folders() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = from.path();
    fs::create_dir_all(root.join("terraform/modules/empty")).unwrap();
    fs::write(root.join("terraform/main.tf"), "resource {}").unwrap();
    fs::write(root.join("deploy.sh"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(root.join("deploy.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("../deploy.sh", root.join("terraform/run")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, root.join("pipe"), rustix::fs::Mode::RWXU).unwrap();

    let mut bytes = Vec::new();
    pack(root, &mut bytes).map(drop).unwrap();
    let refused = unpack(Cursor::new(bytes), to.path(), UNPACKED_BYTES).unwrap();

    assert_eq!(refused, Vec::<String>::new());
    let back = to.path();
    assert_eq!(fs::read_to_string(back.join("terraform/main.tf")).unwrap(), "resource {}");
    let mode = fs::metadata(back.join("deploy.sh")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o750);
    assert_eq!(fs::read_link(back.join("terraform/run")).unwrap(), Path::new("../deploy.sh"));
    assert!(back.join("terraform/modules/empty").is_dir());
    assert!(!back.join("pipe").exists());
}

#[test]
fn an_entry_that_leaves_the_workspace_is_refused_and_the_rest_is_extracted() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("workspace");
    fs::create_dir(&root).unwrap();
    let bad = zip(|zip| {
        for name in ["../evil", "/tmp/groundcrew-evil", "a/../../evil", "..\\evil", "good"] {
            zip.start_file(name, plain()).unwrap();
            zip.write_all(b"x").unwrap();
        }
    });
    let refused = unpack(bad, &root, UNPACKED_BYTES).unwrap();
    assert_eq!(refused, ["../evil", "/tmp/groundcrew-evil", "a/../../evil", "..\\evil"]);
    assert!(root.join("good").exists());
    assert!(!outer.path().join("evil").exists());
    assert!(!Path::new("/tmp/groundcrew-evil").exists());
}

#[test]
fn a_link_that_leaves_the_workspace_is_refused_and_nothing_is_written_through_one() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("workspace");
    fs::create_dir(&root).unwrap();
    symlink(outer.path(), root.join("old")).unwrap();
    let bad = zip(|zip| {
        zip.add_symlink("out", "..", plain()).unwrap();
        zip.add_symlink("abs", "/etc", plain()).unwrap();
        zip.add_symlink("deep/bent", "../deep/../../..", plain()).unwrap();
        zip.add_symlink("deep/fine", "../good", plain()).unwrap();
        for name in ["out/through", "old/through"] {
            zip.start_file(name, plain()).unwrap();
            zip.write_all(b"x").unwrap();
        }
    });
    let refused = unpack(bad, &root, UNPACKED_BYTES).unwrap();
    assert_eq!(refused, ["old/through", "out", "abs", "deep/bent"]);
    assert!(!outer.path().join("through").exists());
    assert!(root.join("deep/fine").is_symlink());
}

#[test]
fn an_entry_that_no_file_system_can_hold_loses_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    let long = "x".repeat(300);
    let odd = [
        "taken/below".to_owned(),
        "taken/deep/below".to_owned(),
        "a\0b/c".to_owned(),
        "a\0b".to_owned(),
        format!("{long}/c"),
        long,
        "folder".to_owned(),
    ];
    let zip = zip(|zip| {
        for name in ["taken", "folder/inside"] {
            zip.start_file(name, plain()).unwrap();
        }
        zip.add_directory("taken/", plain()).unwrap();
        for name in &odd {
            zip.start_file(name.as_str(), plain()).unwrap();
        }
        zip.add_symlink("taken/link", "inside", plain()).unwrap();
        zip.start_file("last", plain()).unwrap();
        zip.write_all(b"x").unwrap();
    });
    let refused = unpack(zip, root.path(), UNPACKED_BYTES).unwrap();
    let expected: Vec<_> = ["taken/".to_owned()].into_iter().chain(odd).collect();
    assert_eq!(refused, [expected, vec!["taken/link".to_owned()]].concat());
    assert!(root.path().join("last").exists() && root.path().join("folder/inside").exists());
}

#[test]
fn a_bomb_is_stopped_at_the_bound() {
    let root = tempfile::tempdir().unwrap();
    let bomb = zip(|zip| {
        zip.start_file("zeros", plain()).unwrap();
        zip.write_all(&vec![0; 1_000_000]).unwrap();
    });
    assert!(bomb.get_ref().len() < 10_000);
    let error = unpack(bomb, root.path(), 1000).unwrap_err();
    assert!(error.to_string().contains("beyond its limit"), "{error}");
}

proptest! {
    #[test]
    fn no_link_that_is_let_through_ends_outside(
        path in proptest::collection::vec("[ab]", 1..4),
        target in proptest::collection::vec(prop_oneof![Just(".."), Just("a"), Just("b"), Just(".")], 1..6),
    ) {
        let (path, target) = (path.join("/"), target.join("/"));
        if stays_inside(Path::new(&path), &target) {
            let mut height = path.split('/').count() as i32 - 1;
            for part in target.split('/') {
                height += match part { ".." => -1, "." => 0, _ => 1 };
                prop_assert!(height >= 0);
            }
        }
    }
}

/// An archive with a file, a folder, a link and a name that leaves the root, with some bytes replaced.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let whole = zip(|zip| {
        zip.start_file("a/file.txt", plain()).unwrap();
        zip.write_all(&b"some text ".repeat(20)).unwrap();
        zip.add_directory("folder", plain()).unwrap();
        zip.add_symlink("link", "a/file.txt", plain()).unwrap();
        zip.start_file("../leaves", plain()).unwrap();
        zip.write_all(b"x").unwrap();
    })
    .into_inner();
    let length = whole.len();
    let changes = proptest::collection::vec((0..length, any::<u8>()), 0..6);
    (changes, 0..=length, any::<bool>()).prop_map(move |(changes, cut, cuts)| {
        let mut bytes = whole.clone();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        if cuts {
            bytes.truncate(cut);
        }
        bytes
    })
}

proptest! {
    #[test]
    fn a_damaged_archive_neither_panics_nor_leaves_its_folder(bytes in damaged()) {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("workspace");
        fs::create_dir(&root).unwrap();
        unpack(Cursor::new(bytes), &root, UNPACKED_BYTES).ok();
        let beside: Vec<_> = fs::read_dir(outer.path()).unwrap().collect();
        prop_assert_eq!(beside.len(), 1);
    }
}

/// The shorter number of entries, and the shorter length of a name in bytes; the longest name has 65,535.
const ENTRIES_MEASURED: usize = 200;
const NAME_BYTES: usize = 15_000;

/// Unpacks a zip of which the content does not matter.
fn unpacked(bytes: &[u8]) {
    // In memory where that is possible, because a disk's journal takes a time of its own.
    let memory = Path::new("/dev/shm");
    let to = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let to = to.unwrap();
    std::hint::black_box(unpack(Cursor::new(bytes), to.path(), UNPACKED_BYTES).ok());
}

#[test]
fn a_zip_is_unpacked_in_linear_time() {
    let entries = |name: fn(usize) -> String| {
        move |count: usize| {
            zip(|zip| (0..count).for_each(|n| zip.start_file(name(n), plain()).unwrap()))
                .into_inner()
        }
    };
    for (what, name) in [
        ("files", (|n| format!("file-{n}")) as fn(usize) -> String),
        ("folders", |n| format!("{n}/file")),
        ("refused names", |n| format!("../{n}")),
        ("deep files", |n| format!("{}{n}", "a/".repeat(100))),
        ("files as folders", |n| format!("{}{n}", "a/".repeat(n % 50))),
        ("long names", |n| format!("{}{n}", "ab/".repeat(10_000))),
    ] {
        assert_linear(what, ENTRIES_MEASURED, entries(name), |bytes| unpacked(bytes));
    }
    let links = |count: usize| {
        zip(|zip| {
            (0..count).for_each(|n| zip.add_symlink(format!("{n}"), "../../..", plain()).unwrap())
        })
        .into_inner()
    };
    assert_linear("links", ENTRIES_MEASURED, links, |bytes| unpacked(bytes));
    for piece in ["a/", "./", "../", "a", "é/"] {
        let name = |bytes: usize| {
            let name = repeated(piece, bytes);
            zip(|zip| zip.start_file(format!("{name}x"), plain()).unwrap()).into_inner()
        };
        assert_linear(piece, NAME_BYTES, name, |bytes| unpacked(bytes));
    }
    let content = |bytes: usize| {
        zip(|zip| {
            zip.start_file("zeros", plain()).unwrap();
            zip.write_all(&vec![0; bytes * 100]).unwrap();
        })
        .into_inner()
    };
    assert_linear("content", NAME_BYTES, content, |bytes| unpacked(bytes));
}

#[test]
fn what_only_resembles_a_zip_is_refused_in_linear_time() {
    // The signatures of a zip's end, directory, entry and 64-bit end, with and without the fields after them.
    for mark in [b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04", b"PK\x06\x06", b"PK\x06\x07"] {
        for fields in [0, 18, 42] {
            let piece = [&mark[..], &vec![0; fields]].concat();
            let make = |bytes: usize| piece.repeat(bytes / piece.len());
            assert_linear(&format!("{mark:?} {fields}"), NAME_BYTES, make, |bytes| unpacked(bytes));
        }
    }
}
