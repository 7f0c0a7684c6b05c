/** What a script touches, at a glance; the script's full text remains authoritative and visible. */
import { type Affected, affectedBy, type Effect } from "./effects";
import { hostsOf } from "./hosts";
import { feedsShell, readScript, type Script } from "./script";

export interface Touches {
  files: { path: string; lines: number; appends: boolean }[];
  /** Files that plain commands change. */
  affected: Affected[];
  programs: string[];
  addresses: string[];
  /** The project's credentials whose names appear in the script. */
  named: string[];
}

/** Bash builtins and keywords without an effect outside bash. */
const WITHIN = new Set(
  `: . [ [[ ]] alias bg break builtin case cd command continue declare dirs disown do done echo elif else enable esac
  eval exec exit export false fg fi for function getopts hash help history if in jobs let local mapfile popd printf
  pushd pwd read readarray readonly return select set shift shopt source test then time times trap true type typeset
  ulimit umask unalias unset until wait while ! { }`.split(/\s+/),
);

/** Programs that run another program, named after them; both are listed. */
const CARRIERS = new Set([
  "sudo",
  "env",
  "timeout",
  "nohup",
  "setsid",
  "nice",
  "xargs",
  "exec",
  "command",
  "time",
]);

const ADDRESS =
  /\b(?:[a-z][a-z0-9+.-]*:\/\/(?:[^\s"'`<>\\()[\]{}|%]+|\[[\da-f:.]+\][^\s"'`<>\\()[\]{}|%]*)|[\w.-]+@[\w-]+(?:\.[\w-]+)+|(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?(?:\/\d{1,2})?|localhost:\d{2,5})/gi;

/** What may be an IPv6 address, with its range, or with brackets and a port. */
const IPV6 = /(?<![\w:.])(?:\[[\da-f:.]+\](?::\d{2,5})?|[\da-f:]+(?:\/\d{1,3})?)(?![\w:])/gi;

/** Whether the text is an IPv6 address, unlike a time, a hardware address or `::` alone. */
function isIpv6(text: string): boolean {
  const address = text.replace(/^\[|\](?::\d+)?$|\/\d+$/g, "");
  if (!/\d/.test(text) && address !== "::1") return false;
  const [head = "", tail, ...more] = address.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const all = [...groups(head), ...groups(tail ?? "")];
  const whole = tail === undefined ? all.length === 8 : all.length < 8;
  return more.length === 0 && whole && all.every((group) => /^[\da-f]{1,4}$/i.test(group));
}

/** What the script writes, runs and contacts; `credentials` are the names that its run is given. */
export function touchesOf(script: Script, credentials: readonly string[]): Touches {
  const text = script.lines.join("\n");
  const shown = [...text.matchAll(ADDRESS)]
    .map(([address]) => address.replace(/[.,;:]+$/, ""))
    .filter((address) => !address.endsWith("//"));
  const inUrls = shown.filter((address) => address.includes("://"));
  const ipv6 = [...text.matchAll(IPV6)]
    .map(([address]) => address)
    .filter((address) => isIpv6(address) && !inUrls.some((url) => url.includes(address)));
  const addresses = [...shown, ...ipv6, ...hostsIn(script)];
  return {
    files: filesOf(script),
    affected: affectedBy(script),
    programs: programsOf(script),
    addresses: [...new Set(addresses)],
    named: credentials.filter((name) => new RegExp(`\\b${name}\\b`).test(text)),
  };
}

interface AffectedFile extends Pick<Affected, "path" | "elsewhere"> {
  /** In the order of the script, whose branches may not all run. */
  effects: Effect[];
}

/** The files that plain commands change, each of them once, with everything that happens to it. */
export function byFile(affected: readonly Affected[]): AffectedFile[] {
  const files = new Map<string, AffectedFile>();
  for (const { path, what, elsewhere } of affected) {
    const key = `${path} ${elsewhere}`;
    files.set(key, { path, elsewhere, effects: [...(files.get(key)?.effects ?? []), what] });
  }
  return [...files.values()];
}

/** The servers that commands name here, and in what a shell reads. */
function hostsIn(script: Script): string[] {
  const { lines, heredocs } = script;
  const fed = new Set(heredocs.flatMap(({ start, end }) => range(start, end)));
  const own = hostsOf(
    script,
    lines.filter((_, at) => !fed.has(at)),
  );
  const inner = heredocs
    .filter((one) => feedsShell(script, one))
    .flatMap(({ text }) => hostsIn(readScript(text)));
  return [...own, ...inner];
}

function filesOf({ heredocs }: Script): Touches["files"] {
  const files = new Map<string, Touches["files"][number]>();
  for (const { file: path, text, appends } of heredocs) {
    if (path === undefined) continue;
    const known = files.get(path);
    const lines = text.split("\n").length - 1;
    files.set(path, {
      path,
      lines: lines + (appends ? (known?.lines ?? 0) : 0),
      appends: known?.appends ?? appends,
    });
  }
  return [...files.values()];
}

/** The programs in the lines that bash itself reads, in order. */
function programsOf(script: Script): string[] {
  const { lines, heredocs } = script;
  const fed = new Set(heredocs.flatMap(({ start, end }) => range(start, end)));
  const code = lines.filter((_, at) => !fed.has(at)).join("\n");
  const own = new Set([...code.matchAll(/^\s*(?:function\s+)?([\w-]+)\s*\(\)/gm)].map(([, name]) => name));
  const found = new Set<string>();
  for (const command of commandsOf(code)) {
    for (const word of programWords(command)) {
      const name = word.split("/").at(-1) ?? "";
      if (/^[A-Za-z][\w.+-]*$/.test(name) && !WITHIN.has(name) && !own.has(name)) found.add(name);
    }
  }
  for (const heredoc of heredocs.filter((one) => feedsShell(script, one)))
    for (const name of programsOf(readScript(heredoc.text))) found.add(name);
  return [...found];
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The simple commands in a text: each string becomes one word, and command substitutions become separate commands. */
function commandsOf(code: string): string[] {
  return code
    .replace(/\\\n/g, " ")
    .replace(/(^|\s)#.*$/gm, "$1")
    .replace(/'[^']*'/g, "_")
    .replace(
      /"((?:[^"\\]|\\.)*)"/g,
      (_, inner: string) =>
        `_${[...inner.matchAll(/\$\(([^()]*)\)/g)].map(([, run]) => `\n${run}\n`).join("")}`,
    )
    .replace(/\[\[.*?\]\]/g, ":")
    .replace(/\bcase\b.*?\bin\b|^\s*[\w*|.-]+\)/gm, "")
    .split(/&&|\|\||\$\(|<\(|>\(|[;|&`(){}\n]/);
}

/** The words of a simple command that name programs: the first word, and the program that it runs. */
function programWords(command: string): string[] {
  const words = command
    .replace(/\d?(?:>>?|<)&?\s*\S+/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const programs: string[] = [];
  let carried = true;
  for (const word of words) {
    if (/^\w+\+?=/.test(word) || /^(?:if|then|else|elif|do|while|until|!|time)$/.test(word)) continue;
    if (!carried) break;
    if (programs.length > 0 && (/^-/.test(word) || /^\d+[smhd]?$/.test(word))) continue;
    if (word === "for" || word === "select") return [];
    programs.push(word);
    carried = CARRIERS.has(word);
  }
  return programs;
}
