/**
 * The machines that a script's commands connect to, where no scheme, `@` or dotted number gives them away.
 *
 * Like the rest of the summary this helps reading: a program that is not known here is still in the script.
 */
import { commandsIn, programAndRest } from "./effects";
import { filled, type Script } from "./script";

/** A name or an address, perhaps with a user and a port. */
const HOST = /^(?:[\w.-]+@)?(?=[^:]*[a-z])[a-z\d_](?:[a-z\d._-]*[a-z\d])?(?::\d{1,5})?$/i;
/** The same, for programs whose arguments may also be files or plain words. */
const CLEAR_HOST = /^(?:localhost|[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d-]+)*\.[a-z]{2,})(?::\d{1,5})?$/i;

/** The letters and the words of a program's options that take a value. */
interface Options {
  letters: string;
  words?: string;
}

const SSH: Options = { letters: "BbcDEeFIiJLlmOopPQRSWw" };
const SCP: Options = { letters: "cDFiJloPSX" };
const RSYNC: Options = { letters: "efMBT" };
const NC: Options = { letters: "bcegGIiMmOoPpqsTVWwXx" };
const PING: Options = { letters: "cFIiLlmMnpQsSTtwW" };
const WEB: Options = {
  letters: "AbCcDdeEFHKmoOPQrTtuUwxXyYz",
  words: `output output-dir output-document directory-prefix header data data-raw data-binary data-urlencode json
    post-data post-file request user user-agent referer cookie cookie-jar form max-time connect-timeout timeout
    write-out upload-file config cacert capath cert key retry retry-delay retry-max-time tries resolve connect-to range
    interface unix-socket noproxy proxy limit-rate max-redirs password http-user http-password`,
};

/** Clients that name a server by `-h`, as databases do. */
const DASH_H =
  /^(?:psql|pg_\w+|createdb|dropdb|createuser|mysql\w*|mariadb[\w-]*|redis-cli|mongo\w*|ldap\w+)$/;
/** Options that name a server, whatever the program is. */
const NAMES_HOST = /^--(?:host|hostname|server|proxy)(?:=(.*))?$/;

/** The servers that a script's commands name, in order; those with a name that is not known are left out. */
export function hostsOf(script: Script, lines: readonly string[]): string[] {
  const found = new Set<string>();
  const code = lines.join("\n").replace(/\\\n/g, " ").split("\n");
  for (const line of code) {
    for (const [, host, port] of line.matchAll(/\/dev\/(?:tcp|udp)\/([\w.-]+)\/(\d+)/g))
      found.add(`${host}:${port}`);
    for (const { words } of commandsIn(line)) {
      for (const word of namedBy(words.map((word) => filled(word, script.known)))) found.add(word);
    }
  }
  return [...found];
}

function namedBy(words: readonly string[]): string[] {
  const [path, rest] = programAndRest(words);
  const program = path.split("/").at(-1) ?? "";
  const named = rest.flatMap((word, at) => {
    const match = NAMES_HOST.exec(word);
    return match ? [match[1] ?? rest[at + 1] ?? ""] : [];
  });
  return [...named, ...serversOf(program, rest)].filter((word) => HOST.test(word));
}

function serversOf(program: string, rest: readonly string[]): string[] {
  switch (program) {
    case "ssh":
    case "mosh": {
      const jumps = [...valuesOf(rest, "J"), ...valuesOf(rest, "o").flatMap(asJump)];
      return [
        ...jumps.flatMap((jump) => jump.split(",")),
        ...valuesOf(rest, "W"),
        ...plain(rest, SSH).slice(0, 1),
      ];
    }
    case "sftp":
    case "ssh-copy-id":
      return [...valuesOf(rest, "J"), ...plain(rest, SCP).slice(0, 1)].map(beforePath);
    case "scp":
    case "rsync": {
      const files = plain(rest, program === "scp" ? SCP : RSYNC);
      const remote = files.filter((file) => /^[^/]+:/.test(file) && !file.includes("://"));
      return [...(program === "scp" ? valuesOf(rest, "J") : []), ...remote.map(beforePath)];
    }
    case "ssh-keyscan":
      return plain(rest, { letters: "fOpTt" });
    case "nc":
    case "ncat":
    case "netcat":
    case "telnet": {
      const [host = "", port] = plain(rest, NC);
      if (rest.some((word) => /^-\w*l/.test(word))) return [];
      return [/^\d+$/.test(port ?? "") ? `${host}:${port}` : host];
    }
    case "ping":
    case "ping6":
    case "traceroute":
    case "tracepath":
    case "mtr":
      return plain(rest, PING).slice(0, 1);
    case "dig":
    case "host":
    case "nslookup":
      return plain(rest, { letters: "tpx" })
        .map((word) => word.replace(/^@/, ""))
        .filter(isClear);
    case "openssl":
      return rest.filter((_, at) => rest[at - 1] === "-connect");
    case "curl":
    case "wget":
      return [
        ...valuesOf(rest, "x"),
        ...plain(rest, WEB)
          .map((word) => word.replace(/[/?#].*$/, ""))
          .filter(isClear),
      ];
    default:
      return DASH_H.test(program) ? [...valuesOf(rest, "h"), ...rest.flatMap(inConnection)] : [];
  }
}

const isClear = (word: string) => CLEAR_HOST.test(word) || /^[\w.-]+:\d{2,5}$/.test(word);

const beforePath = (file: string) => file.replace(/:.*$/, "");

const asJump = (option: string) => {
  const match = /^(?:ProxyJump|HostName)[= ]\s*(.+)$/i.exec(option);
  return match?.[1] ? [match[1]] : [];
};

/** `host=db.example.com` in the words of a connection. */
const inConnection = (word: string) =>
  [...word.matchAll(/(?:^|\s)host=(\S+)/g)].map(([, host]) => host ?? "");

/** The values of a short option: `-h db`, `-hdb`. */
function valuesOf(rest: readonly string[], letter: string): string[] {
  return rest.flatMap((word, at) => {
    if (word === `-${letter}`) return [rest[at + 1] ?? ""];
    return word.startsWith(`-${letter}`) ? [word.slice(2)] : [];
  });
}

/** The words of a command that are neither options nor their values. */
function plain(rest: readonly string[], { letters, words = "" }: Options): string[] {
  const taking = words.split(/\s+/);
  const found: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? "";
    if (word.startsWith("--")) {
      if (taking.includes(word.slice(2))) at += 1;
    } else if (/^-./.test(word)) {
      const first = [...word.slice(1)].findIndex((letter) => letters.includes(letter));
      // `-p22` has its value, `-p 22` takes the next word.
      if (first === word.length - 2) at += 1;
    } else found.push(word);
  }
  return found;
}
