// Captures the state of a Debian server (its packages, settings, ports and services) for a comparison before and after.

import type { Machine } from "./server.ts";

/**
 * Each list's command, without files that any package changes: backups of the user lists, the linker's cache, dpkg's
 * log.
 */
const LISTS = {
  packages: "dpkg --list | awk '/^[a-z][a-zA-Z] / { print $1, $2, $3 }'",
  settings: `cd /etc && find . -type f ! -name '*-' ! -name ld.so.cache ! -name .updated \\
    -exec stat --format '%A %U %G' {} \\; -exec sha256sum {} \\; | paste - -`,
  links: "cd /etc && find . -type l -printf '%p %l\\n'",
  ports: "ss --listening --tcp --udp --numeric --no-header | awk '{ print $1, $5 }'",
  enabled: "systemctl list-unit-files --no-legend --plain",
  running: `systemctl list-units --type=service,timer,socket --state=running,listening,waiting --no-legend --plain \\
    | awk '{ print $1, $3, $4 }' | grep -v '^user@'`,
  failed: "systemctl list-units --state=failed --no-legend --plain",
  folders: "find /var/lib /var/log /opt /srv -mindepth 1 -maxdepth 1 ! -name dpkg.log",
  parameters: "sysctl --values vm.overcommit_memory",
};

const NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[];

/** The state of a server, list by list. */
export type Inventory = Record<keyof typeof LISTS, string[]>;

/** The state of the server. */
export async function inventory(machine: Machine): Promise<Inventory> {
  const lists: Partial<Inventory> = {};
  for (const name of NAMES) {
    lists[name] = (await machine.run(LISTS[name])).trim().split("\n").sort();
  }
  return lists as Inventory;
}

/** The entries on one side only, list by list; empty if the two states are equal. */
export function differences(before: Inventory, after: Inventory) {
  const only = (one: Inventory, other: Inventory, sign: string, name: keyof Inventory) =>
    one[name].filter((line) => !other[name].includes(line)).map((line) => `${sign} ${name}: ${line}`);
  return NAMES.flatMap((name) => [...only(before, after, "-", name), ...only(after, before, "+", name)]);
}
