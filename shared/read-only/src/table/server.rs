//! What an operator asks a server about itself: its devices, network, packages, units and databases.
//!
//! A program that shows more than it is asked for without an option gets that option from the table
//! ([`Shape::narrowed`](super::Shape::narrowed)): `systemctl show` without `-p` prints a unit's environment, and a
//! certificate is only described.
//!
//! These are left out: `iptables -L`, which loads modules into the kernel, `nginx -T` and `nginx -t`, which create the
//! logs and folders that the configuration names, `kubectl get`, which writes a cache and runs what its configuration
//! names, and whatever looks up a name, `id NAME` and `getent`, because a directory elsewhere may be asked for it.

use super::Kind::{
    Certificate, Interface, ListOf, Listing, Name, Number, OneOf, Port, PortFilter, Seconds, Unit,
};
use super::{IP, Kind, Program, SANDBOX_AND_SERVER, SERVER, program};

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

const EQUAL: Kind = OneOf(&["=", "eq"]);
/// This machine, as a host. `/etc/hosts` has its name.
pub(super) const THIS_HOST: Kind = OneOf(&["localhost", "127.0.0.1", "::1"]);
const DATABASE_PORT: &[(&str, Kind)] = &[("-h", THIS_HOST), ("-P", Number)];

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
    // Without operands, it lists what is mounted.
    program(&["mount"], &[SERVER]),
    program(&["lsb_release"], &[SERVER.letters("aicdrs")]),
    program(
        &["cloud-init"],
        &[SERVER.lead(&["status"]), SERVER.lead(&["status", "--long"]).shows_written_lines()],
    ),
    program(&["getenforce", "sestatus"], &[SERVER]),
    program(&["lsmod", "lspci", "lsusb", "pg_lsclusters"], &[SERVER]),
    program(&["swapon"], &[SANDBOX_AND_SERVER.lead(&["--show"]).processes()]),
    program(&["findmnt"], &[SERVER.letters("lnr"), SERVER.letters("lnr").first(&[Listing])]),
    program(&["ethtool"], &[SERVER.first(&[Interface])]),
    program(&["sysctl"], &[SERVER.letters("n").some(SETTING, 1)]),
    // The network
    program(
        &["ip"],
        &[
            IP.lead(&["-br", "a"]),
            IP.lead(&["-4", "addr"]),
            IP.lead(&["-6", "addr"]),
            IP.lead(&["-s", "link"]),
            IP.lead(&["-s", "link", "show"]).first(&[Interface]),
            IP.lead(&["link", "show"]),
            IP.lead(&["link", "show"]).first(&[Interface]),
            IP.lead(&["addr", "show"]).first(&[Interface]),
            IP.lead(&["addr", "show", "dev"]).first(&[Interface]),
            IP.lead(&["a", "show"]).first(&[Interface]),
            IP.lead(&["r"]),
            IP.lead(&["-4", "route"]),
            IP.lead(&["-6", "route"]),
            IP.lead(&["rule"]),
            IP.lead(&["address"]),
            IP.lead(&["address", "show"]),
            IP.lead(&["-4", "a"]),
            IP.lead(&["-6", "a"]),
            IP.lead(&["-4", "addr", "show"]),
            IP.lead(&["-br", "link", "show"]),
            IP.lead(&["neigh"]),
            IP.lead(&["neigh", "show"]),
            IP.lead(&["n"]),
        ],
    ),
    program(
        &["ss"],
        &[
            SERVER.letters("tulnpa46H").processes().first(&[PortFilter]),
            SERVER.letters("tulnpa46H").processes().first(&[
                OneOf(&["sport", "dport"]),
                EQUAL,
                Port,
            ]),
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
    program(
        &["firewall-cmd"],
        &[
            SERVER.lead(&["--state"]),
            SERVER.lead(&["--list-all"]),
            SERVER.lead(&["--list-ports"]),
            SERVER.lead(&["--list-services"]),
            SERVER.lead(&["--get-active-zones"]),
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
    program(&["dpkg"], &[SERVER.lead(&["-S"]).some(Listing, 1)]),
    program(&["rpm"], &[SERVER.lead(&["-qa"]), SERVER.lead(&["-q"]).some(Name, 1)]),
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
    // Databases, caches and certificates
    program(
        &["mysqladmin", "mariadb-admin"],
        &[
            SERVER.lead(&["ping"]).valued(DATABASE_PORT),
            SERVER.lead(&["status"]).valued(DATABASE_PORT),
        ],
    ),
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
                "-text",
            ])
            .narrowed(&[
                ("-in", Certificate),
                ("-checkend", Seconds),
                ("-ext", OneOf(&["subjectAltName"])),
            ])],
    ),
    // Versions
    program(
        &["haproxy", "php", "redis-server", "mysqld"],
        &[SERVER.lead(&["-v"]), SERVER.lead(&["--version"])],
    ),
];
