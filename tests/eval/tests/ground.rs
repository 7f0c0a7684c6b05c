//! Runs the tests of the stand-ins in `ground/`, which are written in Python.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use eval::request::folder;
use std::process::Command;

#[test]
fn the_stand_ins_do_and_refuse_what_the_real_programs_do_and_refuse() {
    let root = folder().join("../..").canonicalize().unwrap();
    let venv = root.join("target/eval-venv");
    // The Python of sandboxes, for which `ground/sandbox.py` makes the same environment.
    let path = format!("/usr/bin:{}", std::env::var("PATH").unwrap());
    let mut made = Command::new(root.join("infra/venv.sh"));
    made.arg(&venv).arg(folder().join("ground/requirements.txt")).env("PATH", &path);
    assert!(made.status().expect("infra/venv.sh").success());
    let mut tests = Command::new(venv.join("bin/python"));
    tests.args(["-B", "-m", "unittest", "discover", "--start-directory"]);
    tests.arg(folder().join("ground/tests")).env("PATH", &path);
    let ran = tests.output().expect("the environment has Python");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert!(said.contains("Ran ") && !said.contains("Ran 0 tests"), "{said}");
}
