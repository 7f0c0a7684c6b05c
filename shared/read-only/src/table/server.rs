//! What an operator asks a server about itself: its devices, network, packages, units, containers and databases.
//!
//! A program that shows more than it is asked for without an option gets that option from the table
//! ([`Shape::narrowed`](super::Shape::narrowed)): `systemctl show` without `-p` prints a unit's environment, `docker
//! inspect` without `-f` a container's, and a certificate is only described.
//!
//! These are left out: `iptables -L`, which loads modules into the kernel, `kubectl get`, which writes a cache and runs what
//! its configuration names, and whatever looks up a name, `id NAME` and `getent`, because a directory elsewhere may be asked
//! for it.

use super::Kind::{
    Certificate, GoFields, ListOf, Listing, Name, OneOf, PortFilter, StatFormat, Unit,
};
use super::{BOTH, IP, Kind, Program, SERVER, program};

/// Fields of containers, images, networks and volumes. The others may hold secrets: a container's command and labels, and
/// a volume's mounts.
pub(super) const DOCKER_FIELDS: [&str; 22] = [
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
const CONTAINER_FIELDS: [&str; 16] = [
    "Id",
    "Name",
    "Image",
    "Created",
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
    "HostConfig.NetworkMode",
];

/// Properties of a unit. Others hold its environment, its commands with their arguments, and the last line of its status.
const UNIT_PROPERTIES: Kind = ListOf(&[
    "ActiveEnterTimestamp",
    "ActiveState",
    "CPUUsageNSec",
    "Description",
    "ExecMainCode",
    "ExecMainStartTimestamp",
    "ExecMainStatus",
    "FragmentPath",
    "InactiveEnterTimestamp",
    "LoadState",
    "MainPID",
    "MemoryCurrent",
    "MemoryMax",
    "NRestarts",
    "Names",
    "NextElapseUSecRealtime",
    "Restart",
    "RestartUSec",
    "Result",
    "StateChangeTimestamp",
    "SubState",
    "TasksCurrent",
    "Type",
    "UnitFileState",
]);

const SOCKET_STATE: Kind = OneOf(&[
    "established",
    "listening",
    "time-wait",
    "close-wait",
    "syn-sent",
    "syn-recv",
    "connected",
    "all",
]);

/// Settings of the kernel. Others hold keys: `net.ipv4.tcp_fastopen_key`.
const SETTING: Kind = OneOf(&[
    "fs.file-max",
    "fs.file-nr",
    "fs.inotify.max_user_instances",
    "fs.inotify.max_user_watches",
    "kernel.hostname",
    "kernel.osrelease",
    "kernel.panic",
    "kernel.pid_max",
    "net.core.somaxconn",
    "net.ipv4.ip_forward",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_congestion_control",
    "net.ipv4.tcp_max_syn_backlog",
    "net.ipv4.tcp_syncookies",
    "net.ipv6.conf.all.disable_ipv6",
    "net.ipv6.conf.all.forwarding",
    "net.netfilter.nf_conntrack_count",
    "net.netfilter.nf_conntrack_max",
    "vm.dirty_background_ratio",
    "vm.dirty_ratio",
    "vm.max_map_count",
    "vm.overcommit_memory",
    "vm.swappiness",
]);

const REDIS_SECTION: Kind = OneOf(&[
    "server",
    "clients",
    "memory",
    "persistence",
    "stats",
    "replication",
    "cpu",
    "keyspace",
]);

pub(super) const PROGRAMS: &[Program] = &[
    // The machine
    program(&["lsmod", "lspci", "lsusb", "pg_lsclusters"], &[SERVER]),
    program(&["swapon"], &[BOTH.lead(&["--show"]).processes()]),
    program(&["findmnt"], &[SERVER.letters("lnr"), SERVER.letters("lnr").first(&[Listing])]),
    program(&["ethtool"], &[SERVER.first(&[Name])]),
    program(&["sysctl"], &[SERVER.letters("n").some(SETTING, 1)]),
    program(
        &["stat"],
        &[SERVER.narrowed(&[("-c", StatFormat), ("--format", StatFormat)]).some(Listing, 1)],
    ),
    // The network
    program(
        &["ip"],
        &[
            IP.lead(&["-br", "a"]),
            IP.lead(&["-4", "addr"]),
            IP.lead(&["-6", "addr"]),
            IP.lead(&["-s", "link"]),
            IP.lead(&["-s", "link", "show"]).first(&[Name]),
            IP.lead(&["link", "show"]),
            IP.lead(&["link", "show"]).first(&[Name]),
            IP.lead(&["addr", "show"]).first(&[Name]),
            IP.lead(&["addr", "show", "dev"]).first(&[Name]),
            IP.lead(&["a", "show"]).first(&[Name]),
            IP.lead(&["r"]),
            IP.lead(&["-4", "route"]),
            IP.lead(&["-6", "route"]),
            IP.lead(&["rule"]),
        ],
    ),
    program(
        &["ss"],
        &[
            SERVER.letters("tulnpa46H").processes().first(&[PortFilter]),
            SERVER.letters("tulnpa46H").processes().first(&[OneOf(&["state"]), SOCKET_STATE]),
        ],
    ),
    program(&["nft"], &[SERVER.lead(&["list", "tables"])]),
    program(
        &["wg"],
        &[
            SERVER.lead(&["show", "interfaces"]),
            SERVER.lead(&["show", "all", "endpoints"]),
            SERVER.lead(&["show", "all", "latest-handshakes"]),
            SERVER.lead(&["show", "all", "transfer"]),
        ],
    ),
    program(&["resolvectl"], &[SERVER.lead(&["status"]), SERVER.lead(&["dns"])]),
    program(
        &["networkctl"],
        &[
            SERVER,
            SERVER.lead(&["list"]).flags(&["--no-pager"]),
            SERVER.lead(&["--no-pager", "list"]),
        ],
    ),
    // Packages
    program(
        &["apt"],
        &[
            SERVER.lead(&["list", "--installed"]).any(Name),
            SERVER.lead(&["list", "--upgradable"]).any(Name),
        ],
    ),
    program(&["apt-cache"], &[SERVER.lead(&["policy"]).any(Name)]),
    program(&["apt-mark"], &[SERVER.lead(&["showhold"]), SERVER.lead(&["showmanual"])]),
    program(&["dpkg-query"], &[SERVER.lead(&["-W"]).any(Name), SERVER.lead(&["-l"]).any(Name)]),
    // Units
    program(
        &["systemctl"],
        &[SERVER
            .lead(&["show"])
            .flags(&["--value", "--no-pager"])
            .narrowed(&[("-p", UNIT_PROPERTIES), ("--property", UNIT_PROPERTIES)])
            .some(Unit, 1)],
    ),
    program(
        &["systemd-analyze"],
        &[
            SERVER.lead(&["time"]),
            SERVER.lead(&["blame"]).flags(&["--no-pager"]),
            SERVER.lead(&["critical-chain"]).flags(&["--no-pager"]),
        ],
    ),
    program(
        &["loginctl"],
        &[
            SERVER.lead(&["list-sessions"]).flags(&["--no-pager"]),
            SERVER.lead(&["list-users"]).flags(&["--no-pager"]),
        ],
    ),
    program(&["timedatectl"], &[SERVER.lead(&["show"])]),
    program(&["chronyc"], &[SERVER.lead(&["-n", "tracking"]), SERVER.lead(&["-n", "sources"])]),
    program(
        &["fail2ban-client"],
        &[
            SERVER.lead(&["ping"]),
            SERVER.lead(&["status"]),
            SERVER.lead(&["status"]).first(&[Name]),
        ],
    ),
    // Containers
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
    // Databases, caches and certificates
    program(&["mysqladmin", "mariadb-admin"], &[SERVER.lead(&["ping"]), SERVER.lead(&["status"])]),
    program(
        &["redis-cli"],
        &[
            SERVER.lead(&["ping"]),
            SERVER.lead(&["PING"]),
            SERVER.lead(&["dbsize"]),
            SERVER.lead(&["DBSIZE"]),
            SERVER.lead(&["info"]).first(&[REDIS_SECTION]),
            SERVER.lead(&["INFO"]).first(&[REDIS_SECTION]),
        ],
    ),
    program(
        &["openssl"],
        &[SERVER
            .lead(&["x509"])
            .flags(&[
                "-noout",
                "-dates",
                "-startdate",
                "-enddate",
                "-subject",
                "-issuer",
                "-serial",
                "-fingerprint",
                "-sha256",
            ])
            .narrowed(&[("-in", Certificate)])],
    ),
    // Versions
    program(
        &["haproxy", "php", "redis-server", "mysqld"],
        &[SERVER.lead(&["-v"]), SERVER.lead(&["--version"])],
    ),
];
