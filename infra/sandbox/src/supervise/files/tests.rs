use super::*;
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::TempDir;

fn workspace() -> (TempDir, Below) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("workspace/ssh")).unwrap();
    fs::write(folder.path().join("secret"), "outside").unwrap();
    let below = Below::open(&folder.path().join("workspace")).unwrap();
    (folder, below)
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

#[test]
fn no_path_and_no_link_leads_out_of_the_workspace() {
    let (folder, below) = workspace();
    let inside = folder.path().join("workspace");
    symlink("../secret", inside.join("up")).unwrap();
    symlink(folder.path().join("secret"), inside.join("absolute")).unwrap();
    symlink("..", inside.join("folder")).unwrap();
    for path in ["up", "absolute", "folder/secret"] {
        assert_eq!(read(&below, Path::new(path)), Err(FileFailure::Outside), "{path}");
        assert_eq!(read_end(&below, Path::new(path)), Err(FileFailure::Outside), "{path}");
        let written = write(&below, Path::new(path), Some(&sha256("outside")), b"x");
        assert_eq!(written, Err(FileFailure::Outside), "{path}");
        assert!(below.walk(Path::new(path), LOOK).is_err(), "{path}");
    }
    assert_eq!(list(&below, Path::new("folder")).unwrap_err(), FileFailure::Outside);
    for path in ["../secret", "/etc/passwd", "a/../../secret", ".."] {
        assert_eq!(relative(path), Err(FileFailure::Outside), "{path}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("secret")).unwrap(), "outside");
}

#[test]
fn a_link_that_stays_inside_is_followed_and_kept() {
    let (folder, below) = workspace();
    let inside = folder.path().join("workspace");
    fs::create_dir(inside.join("real")).unwrap();
    fs::write(inside.join("real/file"), "old").unwrap();
    symlink("real/file", inside.join("link")).unwrap();
    assert_eq!(read(&below, Path::new("link")).unwrap(), (b"old".to_vec(), 3));
    write(&below, Path::new("link"), Some(&sha256("old")), b"new").unwrap();
    assert!(inside.join("link").is_symlink());
    assert_eq!(fs::read_to_string(inside.join("real/file")).unwrap(), "new");
}

#[test]
fn a_replaced_file_keeps_its_mode_and_leaves_no_other_file() {
    let (folder, below) = workspace();
    let file = folder.path().join("workspace/run.sh");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).unwrap();
    write(&below, Path::new("run.sh"), Some(&sha256("old")), b"new").unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o750);
    assert_eq!(fs::read_dir(folder.path().join("workspace")).unwrap().count(), 2);
}

#[test]
fn a_concurrent_change_is_not_overwritten() {
    let (folder, below) = workspace();
    let file = folder.path().join("workspace/f");
    fs::write(&file, "theirs").unwrap();
    let path = Path::new("f");
    assert_eq!(write(&below, path, Some(&sha256("old")), b"mine"), Err(FileFailure::Conflict));
    assert_eq!(write(&below, path, None, b"mine"), Err(FileFailure::Conflict));
    assert_eq!(fs::read_to_string(&file).unwrap(), "theirs");
    assert_eq!(write(&below, path, None, b"theirs"), Ok(()), "said again, it is done already");
    fs::remove_file(&file).unwrap();
    assert_eq!(write(&below, path, Some(&sha256("theirs")), b"mine"), Err(FileFailure::Conflict));
    assert_eq!(write(&below, path, None, b"mine"), Ok(()));
}

#[test]
fn only_text_of_a_bounded_size_is_read() {
    let (folder, below) = workspace();
    let inside = folder.path().join("workspace");
    fs::write(inside.join("nul"), "a\0b").unwrap();
    fs::write(inside.join("latin1"), b"caf\xe9").unwrap();
    fs::write(inside.join("full"), vec![b'x'; FILE_BYTES]).unwrap();
    fs::write(inside.join("over"), vec![b'x'; FILE_BYTES + 1]).unwrap();
    let why = |name: &str| read(&below, Path::new(name)).err();
    assert_eq!(why("nul"), Some(FileFailure::Binary));
    assert_eq!(why("latin1"), Some(FileFailure::Binary));
    assert_eq!(why("full"), None);
    assert_eq!(why("over"), Some(FileFailure::TooLarge));
    assert_eq!(why("ssh"), Some(FileFailure::NotAFile));
    assert_eq!(why("none"), Some(FileFailure::NotFound));
    assert_eq!(why("full/none"), Some(FileFailure::NotADirectory));
    assert_eq!(list(&below, Path::new("full")).unwrap_err(), FileFailure::NotADirectory);
}

#[test]
fn the_end_of_a_file_of_any_size_begins_with_a_line_and_ends_with_a_whole_character() {
    let (folder, below) = workspace();
    let file = folder.path().join("workspace/app.log");
    let end_of = |content: &[u8]| {
        fs::write(&file, content).unwrap();
        let (end, bytes) = read_end(&below, Path::new("app.log"))?;
        assert_eq!(bytes, content.len() as u64);
        assert!(end.len() <= FILE_END_BYTES && content.len() >= end.len());
        Ok::<_, FileFailure>(String::from_utf8(end).unwrap())
    };
    for short in ["", "one line", "one\ntwo\n"] {
        assert_eq!(end_of(short.as_bytes()).unwrap(), short);
    }
    let line = "a line with an \u{e9}\n";
    for lines in [FILE_END_BYTES / line.len(), 1_000, 10_000] {
        let end = end_of(line.repeat(lines).as_bytes()).unwrap();
        assert_eq!(end, line.repeat(end.len() / line.len()), "only whole lines");
        assert!(end.len() + line.len() > FILE_END_BYTES.min(lines * line.len()));
    }
    let exactly = format!("\n{}", "x".repeat(FILE_END_BYTES));
    assert_eq!(end_of(exactly.as_bytes()).unwrap(), exactly[1..]);
    let endless = "\u{e9}".repeat(FILE_END_BYTES);
    let end = end_of(endless.as_bytes()).unwrap();
    assert!(endless.ends_with(&end) && end.len() + 2 > FILE_END_BYTES, "{}", end.len());
    assert_eq!(end_of(b"caf\xc3").unwrap(), "caf", "the service is writing the rest");
    assert_eq!(end_of(b"caf\xe9 noir\n"), Err(FileFailure::Binary));
    assert_eq!(end_of(b"a\0b"), Err(FileFailure::Binary));
    assert_eq!(read_end(&below, Path::new("ssh")), Err(FileFailure::NotAFile));
    assert_eq!(read_end(&below, Path::new("none")), Err(FileFailure::NotFound));
}

#[test]
fn a_private_key_is_listed_but_not_shown_under_any_name() {
    let (folder, below) = workspace();
    let inside = folder.path().join("workspace");
    let key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbg==\n-----END OPENSSH PRIVATE KEY-----\n";
    fs::write(inside.join("ssh/deploy"), key).unwrap();
    fs::write(inside.join("ssh/deploy.pub"), "ssh-ed25519 AAAA").unwrap();
    symlink("ssh/deploy", inside.join("alias")).unwrap();
    // Also as a copy in another folder.
    fs::write(inside.join("copy.txt"), key).unwrap();
    for path in ["ssh/deploy", "alias", "copy.txt"] {
        assert_eq!(read(&below, Path::new(path)), Err(FileFailure::Denied), "{path}");
        assert_eq!(read_end(&below, Path::new(path)), Err(FileFailure::Denied), "{path}");
        let written = write(&below, Path::new(path), Some(&sha256(key)), b"x");
        assert_eq!(written, Err(FileFailure::Denied), "{path}");
    }
    assert_eq!(read(&below, Path::new("ssh/deploy.pub")).unwrap().0, b"ssh-ed25519 AAAA");
    let (entries, _) = list(&below, Path::new("ssh")).unwrap();
    let open: Vec<_> = entries.iter().map(|e| (e.name.as_str(), e.editable)).collect();
    assert_eq!(open, [("deploy", false), ("deploy.pub", true)]);
    symlink("ssh", inside.join("keys")).unwrap();
    for (path, name) in [("ssh/config", "config"), ("keys/known_hosts", "known_hosts")] {
        write(&below, Path::new(path), None, b"Host web").unwrap();
        let mode = fs::metadata(inside.join("ssh").join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_listing_names_kinds_and_says_whether_there_is_more() {
    let (folder, below) = workspace();
    let inside = folder.path().join("workspace");
    symlink("/etc", inside.join("link")).unwrap();
    fs::write(inside.join("file"), "123").unwrap();
    let (entries, truncated) = list(&below, Path::new("")).unwrap();
    assert!(!truncated);
    let kinds: Vec<_> = entries.iter().map(|e| (e.name.as_str(), e.kind)).collect();
    let expected =
        [("file", FileKind::File), ("link", FileKind::Link), ("ssh", FileKind::Directory)];
    assert_eq!(kinds, expected);
    assert_eq!(entries[0].bytes, 3);
    assert!(OffsetDateTime::parse(&entries[0].modified, &Rfc3339).is_ok());
    for n in 0..LISTED_ENTRIES {
        fs::write(inside.join(format!("{n:04}")), "").unwrap();
    }
    let (entries, truncated) = list(&below, Path::new("")).unwrap();
    assert_eq!((entries.len(), truncated), (LISTED_ENTRIES, true));
}

#[test]
fn a_fifo_is_not_a_file_and_does_not_block() {
    let (folder, below) = workspace();
    let fifo = folder.path().join("workspace/fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, FileType::Fifo, Mode::from_raw_mode(0o600), 0)
        .unwrap();
    assert_eq!(read(&below, Path::new("fifo")), Err(FileFailure::NotAFile));
}

proptest! {
    #[test]
    fn a_path_stays_in_the_workspace_or_is_refused(path in "([a./]|\\.\\.|\\PC){0,12}") {
        if let Ok(relative) = relative(&path) {
            let plain = relative.components().all(|c| matches!(c, std::path::Component::Normal(_)));
            prop_assert!(plain, "{relative:?}");
        }
    }
}
