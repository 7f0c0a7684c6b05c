//! What an operator builds: the functions with `sam build` alone, and the sandbox image on any machine.
use deploy_tests::{Template, repository, text};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const DOCKERFILE: &str = "infra/sandbox/Dockerfile";

#[test]
fn sam_finds_its_settings_in_the_root_and_the_template_through_them() {
    let settings: toml::Table = text("samconfig.toml").parse().unwrap();
    for (environment, command) in
        [("default", "validate"), ("default", "build"), ("staging", "build")]
    {
        let template = settings[environment][command]["parameters"]["template_file"].as_str();
        let template = template.unwrap();
        assert!(repository().join(template).is_file(), "{environment}.{command}: {template}");
    }
    // SAM looks for its settings next to the template it is given, where there are none.
    let operations = text("docs/operations.md");
    for line in operations.lines().filter(|line| line.starts_with("sam ")) {
        assert!(!line.contains("--template"), "without samconfig.toml: {line}");
    }
    // `sam deploy` uses the output of `sam build`, not another template.
    for environment in ["default", "staging"] {
        let deploy = settings[environment]["deploy"]["parameters"].as_table().unwrap();
        assert!(!deploy.contains_key("template_file"), "{environment}");
    }
}

#[test]
fn the_release_profile_has_no_link_time_optimization() {
    let manifest: toml::Table = text("Cargo.toml").parse().unwrap();
    // Without a value, cargo-lambda asks for "thin".
    let named = manifest["profile"]["release"].get("lto").and_then(toml::Value::as_str);
    let why = "link-time optimization takes two thirds of the time of `sam build`";
    assert_eq!(named, Some("off"), "{why}");
}

#[test]
fn the_sandbox_image_builds_from_any_registry_and_without_a_frontend() {
    let dockerfile = text(DOCKERFILE);
    assert!(!dockerfile.contains("syntax="), "a frontend would be pulled from Docker's registry");
    let images: Vec<&str> =
        dockerfile.lines().filter_map(|line| line.strip_prefix("FROM ")).collect();
    assert!(images.len() > 2, "{images:?}");
    for image in images {
        let image = image.strip_prefix("--platform=${BUILDPLATFORM} ").unwrap_or(image);
        assert!(image.starts_with("${"), "{image}: another registry cannot be named");
    }
}

#[test]
fn the_sources_of_the_sandbox_image_are_pinned_for_every_architecture() {
    let dockerfile = text(DOCKERFILE);
    let images: Vec<(&str, &str)> = dockerfile
        .lines()
        .filter_map(|line| line.strip_prefix("ARG ")?.split_once("_IMAGE="))
        .collect();
    assert!(images.len() > 2, "{images:?}");
    for (name, image) in images {
        // Debian's images follow their tags; apt checks the packages.
        if ["RUST", "BASE"].contains(&name) {
            assert!(image.starts_with("debian:") || image.starts_with("rust:"), "{image}");
            continue;
        }
        // An index, so the digest covers the images of both architectures.
        let (_, digest) = image.split_once("@sha256:").expect(image);
        let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        assert!(digest.len() == 64 && digest.chars().all(hex), "{image}");
    }
    // Nothing else is downloaded: a download would be for one architecture, or without a checksum.
    for way in ["://", "ADD ", "npm ", "ansible-galaxy", "rustup", "_amd64", "_arm64"] {
        assert!(!dockerfile.contains(way), "{way}");
    }
}

/// The instructions of the Dockerfile, each in one line and without comments.
fn instructions() -> Vec<String> {
    let lines: Vec<String> = text(DOCKERFILE)
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    lines.concat().replace("\\\n", "").lines().map(str::to_owned).collect()
}

/// The requirements of a file for pip, each with its digests in one line.
fn requirements(file: &str) -> Vec<String> {
    let joined = text(file).replace("\\\n", " ");
    let lines = joined.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

#[test]
fn packages_of_pypi_are_pinned_by_the_digests_of_their_files_and_none_is_compiled() {
    let commands: Vec<String> = instructions()
        .iter()
        .flat_map(|instruction| instruction.split(" && "))
        .filter(|command| command.contains("pip") && command.contains(" install "))
        .filter(|command| !command.contains("apt-get"))
        .map(str::to_owned)
        .collect();
    assert_eq!(commands.len(), 1, "{commands:?}");
    let words: Vec<&str> = commands[0].split_whitespace().collect();
    for wanted in [
        ["--require-hashes", "--requirement"].as_slice(),
        &["--requirement", "/tmp/ansible-lint.txt"],
        &["--only-binary", ":all:"],
    ] {
        assert!(
            words.windows(wanted.len()).any(|window| window == wanted),
            "{wanted:?}: {words:?}"
        );
    }
    // Everything else is an option, so that no package comes without a digest.
    let rest = words.iter().skip_while(|word| **word != "install").skip(1);
    let values = ["/tmp/ansible-lint.txt", ":all:"];
    let named: Vec<_> =
        rest.filter(|word| !word.starts_with("--") && !values.contains(word)).collect();
    assert!(named.is_empty(), "{named:?}");
    let locked = requirements("infra/sandbox/ansible-lint.txt");
    assert!(locked.len() > 20, "{locked:?}");
    for requirement in &locked {
        let (package, rest) = requirement.split_once(' ').expect(requirement);
        assert!(package.contains("=="), "{requirement}");
        let digests = rest.split_whitespace().filter(|word| word.starts_with("--hash=sha256:"));
        assert!(digests.count() > 0, "{requirement}");
    }
}

#[test]
fn the_image_lints_playbooks_with_the_versions_of_the_tests() {
    let pinned = requirements("infra/requirements-sam.txt");
    let spelled = |package: &str| package.to_lowercase().replace(['_', '.'], "-");
    let known = |package: &str| {
        let (name, version) = package.split_once("==").unwrap();
        pinned.iter().any(|line| {
            let Some((other, rest)) = line.split_once("==") else { return false };
            spelled(other) == spelled(name) && rest.split([' ', ';']).next() == Some(version)
        })
    };
    let locked = requirements("infra/sandbox/ansible-lint.txt");
    let packages: Vec<&str> = locked.iter().filter_map(|line| line.split(' ').next()).collect();
    for tool in ["ansible-core", "ansible-lint"] {
        assert!(packages.iter().any(|package| package.starts_with(&format!("{tool}=="))), "{tool}");
    }
    for package in packages {
        assert!(known(package), "infra/requirements-sam.txt has another version than {package}");
    }
    let listed = text("infra/sandbox/tools.sh");
    assert!(listed.contains("said ansible-lint ansible-lint "), "agents do not learn the version");
}

#[test]
fn the_image_keeps_the_manual_pages_of_its_packages_and_of_the_base() {
    let instructions = instructions();
    let at = |words: &str| {
        let all = instructions.join("\n");
        all.find(words).unwrap_or_else(|| panic!("{words}"))
    };
    // dpkg follows the last rule that fits, and reads the files of its folder by name.
    let allowed = at("path-include=/usr/share/man/man[1-9]/*");
    assert!(allowed < at("ansible-core awscli"), "dpkg would leave the pages out");
    let base = at("xargs apt-get download");
    assert!(base < at("ansible-core awscli"), "the other packages have their pages already");
    for package in [" man-db ", " groff-base ", " manpages "] {
        at(package);
    }
    for instruction in &instructions {
        for command in instruction.split(" && ").filter(|command| command.contains("rm -rf")) {
            assert!(!command.contains("/usr/share/man"), "{command}");
        }
    }
    assert!(text("infra/sandbox/tools.sh").contains("said man man "));
}

#[test]
fn functions_and_sandboxes_have_the_architecture_of_their_stack() {
    let template = Template::load();
    let parameter = &template.section("Parameters")["Architecture"];
    assert_eq!(parameter["AllowedValues"], json!(["arm64", "x86_64"]));
    let task = &template.properties("SandboxTask")["RuntimePlatform"];
    let wanted = json!({"Fn::If": ["IsArm", "ARM64", "X86_64"]});
    assert_eq!(
        (&task["CpuArchitecture"], &task["OperatingSystemFamily"]),
        (&wanted, &json!("LINUX"))
    );
    let is_arm = &template.section("Conditions")["IsArm"];
    assert_eq!(is_arm, &json!({"Fn::Equals": [{"Ref": "Architecture"}, "arm64"]}));
}

/// A fake cargo that records its arguments and leaves a program where cargo would.
const CARGO: &str = r#"#!/bin/sh
echo "cargo $*; $CC_aarch64_unknown_linux_gnu $CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER" >>"$ASKED"
for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
  mkdir -p "$CARGO_TARGET_DIR/$target/release"
  echo "$target" >"$CARGO_TARGET_DIR/$target/release/sandbox-agent"
done
"#;

#[test]
fn a_machine_of_one_architecture_compiles_the_agent_for_either() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, script) in [
        ("cargo", CARGO),
        ("rustup", "#!/bin/sh\necho \"rustup $*\" >>\"$ASKED\"\n"),
        ("dpkg", "#!/bin/sh\necho amd64\n"),
    ] {
        std::fs::write(at(name), script).unwrap();
        std::fs::set_permissions(at(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let compile = |architecture: &str| {
        std::fs::write(at("asked"), "").unwrap();
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let mut script = Command::new(repository().join("infra/sandbox/build-agent.sh"));
        script.arg(architecture).arg(at("agent")).env("PATH", path).env("ASKED", at("asked"));
        script.env("CARGO_TARGET_DIR", at("target")).env_remove("PROFILE");
        for variable in
            ["CC_aarch64_unknown_linux_gnu", "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"]
        {
            script.env_remove(variable);
        }
        let worked = script.output().unwrap().status.success();
        (worked, std::fs::read_to_string(at("asked")).unwrap())
    };
    let build = |target: &str| {
        format!("cargo build --locked --package sandbox-agent --target {target} --profile release;")
    };
    let (arm, intel) = ("aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu");
    let gcc = "aarch64-linux-gnu-gcc";
    let wanted = format!("rustup target add {arm}\n{} {gcc} {gcc}\n", build(arm));
    assert_eq!(compile("arm64"), (true, wanted));
    assert_eq!(std::fs::read_to_string(at("agent")).unwrap().trim(), arm);
    assert_eq!(compile("amd64"), (true, format!("{}  \n", build(intel))));
    assert_eq!(std::fs::read_to_string(at("agent")).unwrap().trim(), intel);
    assert_eq!(compile("riscv64"), (false, String::new()));
}

#[test]
fn a_program_for_another_processor_does_not_get_into_the_image() {
    let folder = TempDir::new().unwrap();
    let foreign = folder.path().join("foreign");
    let mut bytes = std::fs::read("/bin/bash").unwrap();
    // The field e_machine of an ELF file.
    bytes[18] ^= 1;
    std::fs::write(&foreign, bytes).unwrap();
    let check = |programs: &[&Path]| {
        let mut bash = Command::new("bash");
        bash.arg(repository().join("infra/sandbox/same-machine.sh")).args(programs);
        bash.output().unwrap()
    };
    let own = Path::new("/bin/ls");
    assert!(check(&[own]).status.success());
    let refused = check(&[own, &foreign]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("foreign"));
    let asked = "RUN bash /tmp/same-machine.sh /usr/local/bin/* \\\n && find /opt/ansible-lint -name '*.so'";
    let (before, after) =
        text(DOCKERFILE).split_once(asked).map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(!after.contains("COPY --from="), "the check stops at the first wrong program");
    assert_eq!(before.matches(" /usr/local/bin/").count(), before.matches("COPY --from=").count());
}
