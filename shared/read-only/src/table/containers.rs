//! What Docker says about its containers, images, networks and volumes.
//!
//! `docker inspect` gets its format from the table, as `systemctl show` gets its properties, because it shows a
//! container's environment without one. `docker compose ps` is left out, because it fetches what a Compose file includes.

use super::Kind::{DockerFilter, GoFields, Moment, Name, Number};
use super::{Program, SANDBOX_AND_SERVER, SERVER, Shape, program};

/// Fields of containers, images, networks and volumes. The others may hold secrets: a container's command and labels, and
/// a volume's mounts.
const DOCKER_FIELDS: [&str; 22] = [
    "ID",
    "Name",
    "Names",
    "Image",
    "Status",
    "State",
    "Ports",
    "Networks",
    "Size",
    "CreatedAt",
    "CreatedSince",
    "RunningFor",
    "LocalVolumes",
    "Repository",
    "Tag",
    "Digest",
    "Driver",
    "Scope",
    "Internal",
    "IPv6",
    "SharedSize",
    "UniqueSize",
];

/// Fields of one container. Others hold its environment, its arguments, and what its health check printed.
const CONTAINER_FIELDS: [&str; 21] = [
    "Id",
    "Name",
    "Image",
    "Created",
    "Config.Image",
    "LogPath",
    "Platform",
    "RestartCount",
    "State.Status",
    "State.Running",
    "State.Restarting",
    "State.OOMKilled",
    "State.ExitCode",
    "State.StartedAt",
    "State.FinishedAt",
    "State.Health.Status",
    "State.Health.FailingStreak",
    "HostConfig.RestartPolicy.Name",
    "HostConfig.Memory",
    "HostConfig.NanoCpus",
    "HostConfig.NetworkMode",
];

const DOCKER: Shape =
    SERVER.flags(&["-a", "--all", "-q", "--quiet", "-s", "--size", "-l", "--latest"]).valued(&[
        ("--format", GoFields(&DOCKER_FIELDS)),
        ("-f", DockerFilter),
        ("--filter", DockerFilter),
    ]);

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["docker"],
        &[
            SERVER.lead(&["version"]),
            SERVER.lead(&["info"]),
            SANDBOX_AND_SERVER.lead(&["--version"]),
            DOCKER.lead(&["ps"]),
            DOCKER.lead(&["images"]),
            DOCKER.lead(&["container", "ls"]),
            DOCKER.lead(&["image", "ls"]),
            DOCKER.lead(&["network", "ls"]),
            DOCKER.lead(&["volume", "ls"]),
            SERVER.lead(&["system", "df"]),
            SERVER.lead(&["stats", "--no-stream"]).any(Name),
            SERVER.lead(&["port"]).some(Name, 1),
            SERVER
                .lead(&["logs"])
                .flags(&["-t", "--timestamps"])
                .valued(&[
                    ("-n", Number),
                    ("--tail", Number),
                    ("--since", Moment),
                    ("--until", Moment),
                ])
                .first(&[Name])
                .shows_written_lines(),
        ],
    ),
    program(
        &["docker"],
        &[
            SERVER
                .lead(&["inspect"])
                .narrowed(&[
                    ("-f", GoFields(&CONTAINER_FIELDS)),
                    ("--format", GoFields(&CONTAINER_FIELDS)),
                ])
                .some(Name, 1),
            SERVER.lead(&["compose", "version"]),
            SERVER.lead(&["compose", "ls"]),
        ],
    ),
];
