//! Sets up nginx, WordPress and Django on a real server: Debian with systemd and OpenSSH, in a container.
//!
//! The tests leave out what does not work in a container: the hardening, which changes the kernel's settings, and Let's
//! Encrypt. Making the container's image takes minutes, so these tests are a section for releases
//! (`tests/counterparts/sites.sh`).

use std::path::Path;

use crate::real_server::{PREPARE as REDIS_IN_A_CONTAINER, Server, workspace};
use crate::stubs::must_run;
use crate::support::Project;

/// What the three sites need. One image has all of it, because making an image takes longer than a test.
const PACKAGES: &[&str] = &[
    "python3",
    "python3-apt",
    "iproute2",
    "procps",
    "nginx",
    "openssl",
    "certbot",
    "curl",
    "rsync",
    // WordPress
    "php-fpm",
    "php-mysql",
    "php-gd",
    "php-curl",
    "php-xml",
    "php-mbstring",
    "php-zip",
    "php-intl",
    "mariadb-server",
    "wordpress",
    "wordpress-l10n",
    "wordpress-theme-twentytwentythree",
    // Django
    "python3-django",
    "gunicorn",
    "celery",
    "python3-redis",
    "python3-psycopg2",
    "redis-server",
    "postgresql",
];

/// Runs only these roles, without the hardening, and returns Ansible's counts.
fn plays(folder: &Path, roles: &[&str], environment: &[(&str, &str)]) -> String {
    let roles: String = roles.iter().map(|role| format!("    - role: {role}\n")).collect();
    let play = format!("- hosts: servers\n  become: true\n  roles:\n{roles}");
    std::fs::write(folder.join("ansible/only.yml"), play).unwrap();
    let said = must_run(folder, "cd ansible && ansible-playbook only.yml", environment);
    said.split_once("PLAY RECAP").unwrap().1.to_owned()
}

/// Tries what the step that runs the playbook tries afterward, such as a backup or a restart.
async fn try_out(folder: &Path, project: &Project) {
    const RUN_PLAYBOOK: usize = 8;
    let script = project.script(RUN_PLAYBOOK).await;
    let (_, trial) = script.split_once("\ncd ..\n").unwrap();
    assert!(trial.contains("ssh -F ssh/config"), "{script}");
    must_run(folder, &format!("set -euo pipefail\n{trial}"), &[]);
}

#[tokio::test]
#[ignore = "makes a container with many packages"]
async fn nginx_serves_a_site_over_tls_and_the_second_run_changes_nothing() {
    let Some(mut server) = Server::start(PACKAGES) else { return };
    let wish = "A website with nginx on a server named web for www.example.com, use the defaults";
    let project = Project::planned(wish).await;
    let folder = workspace(&mut server, &project, "systemctl reset-failed").await;
    let folder = folder.path();
    plays(folder, &["nginx"], &[]);
    let again = plays(folder, &["nginx"], &[]);
    assert!(again.contains("changed=0"), "{again}");
    let checks = project.check_scripts().await;
    let site = checks.iter().find(|check| check.contains("there-is-no-such-page")).unwrap();
    assert!(must_run(folder, site, &[]).contains("Verified: nginx serves www.example.com"));
    // The playbook keeps a page that the owner wrote.
    server.run("echo mine >/var/www/www.example.com/index.html");
    plays(folder, &["nginx"], &[]);
    let page =
        server.run("curl -sk --resolve www.example.com:443:127.0.0.1 https://www.example.com/");
    assert_eq!(page.trim(), "mine");
}

#[tokio::test]
#[ignore = "makes a container with many packages"]
async fn wordpress_accepts_its_login_and_its_dump_can_be_restored() {
    let Some(mut server) = Server::start(PACKAGES) else { return };
    let wish = "WordPress on a VPS named web for blog.example.com, use the defaults";
    let project = Project::planned(wish).await;
    let folder = workspace(&mut server, &project, "systemctl reset-failed").await;
    let folder = folder.path();
    let checks = project.check_scripts().await;
    for password in ["it's a \"pass\" $word #1 &=+", "another-password"] {
        let environment = [("WORDPRESS_ADMIN_PASSWORD", password)];
        plays(folder, &["wordpress", "nginx"], &environment);
        let again = plays(folder, &["wordpress", "nginx"], &environment);
        assert!(again.contains("changed=0"), "{again}");
        try_out(folder, &project).await;
        for sign in ["not-the-password", "restore_check"] {
            let check = checks.iter().find(|check| check.contains(sign)).unwrap();
            let said = must_run(folder, check, &environment);
            assert!(said.contains("Verified: ") && !said.contains(password), "{said}");
        }
    }
}

#[tokio::test]
#[ignore = "makes a container with many packages"]
async fn django_hands_a_task_to_its_worker_also_after_a_restart() {
    let Some(mut server) = Server::start(PACKAGES) else { return };
    let wish = "A Django app with Celery and Redis on a VPS named web for app.example.com, use the defaults";
    let project = Project::planned(wish).await;
    let prepare = format!("{REDIS_IN_A_CONTAINER}\nsystemctl reset-failed");
    let folder = workspace(&mut server, &project, &prepare).await;
    let folder = folder.path();
    plays(folder, &["django", "nginx"], &[]);
    let again = plays(folder, &["django", "nginx"], &[]);
    assert!(again.contains("changed=0"), "{again}");
    try_out(folder, &project).await;
    let checks = project.check_scripts().await;
    let verified = |sign: &str| {
        let check = checks.iter().find(|check| check.contains(sign)).unwrap();
        assert!(must_run(folder, check, &[]).contains("Verified: "));
    };
    verified("through Django, Redis and the worker");
    server.restart();
    verified("all of it starts with the server");
    verified("through Django, Redis and the worker");
}
