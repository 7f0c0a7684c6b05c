/**
 * The files that plain commands write, move and remove, as far as the text shows.
 *
 * Like the rest of the summary this helps reading: a command that is not known here is still in the script.
 */
import { feedsShell, pathIn, readScript, type Script } from "./script";

export type Effect = "removed" | "moved" | "changed" | "written" | "added to";

export interface Affected {
  path: string;
  what: Effect;
  /** Whether it is on the machine to which the script sends commands. */
  elsewhere: boolean;
}

interface Command {
  words: string[];
  writes: { path: string; appends: boolean }[];
}

/** Every file that a plain command of the script changes, in order, once for each effect. */
export function affectedBy(script: Script): Affected[] {
  const found = new Map<string, Affected>();
  const add = (one: Affected) => found.set(`${one.what} ${one.path} ${one.elsewhere}`, one);
  const inHeredoc = new Set<number>();
  const openers = new Set<number>();
  for (const heredoc of script.heredocs) {
    for (let at = heredoc.start; at <= heredoc.end; at += 1) inHeredoc.add(at);
    if (heredoc.file !== undefined) openers.add(heredoc.opened);
    else if (feedsShell(script, heredoc)) {
      const elsewhere = /\bssh\b/.test(script.lines[heredoc.opened] ?? "");
      const inner = readScript(heredoc.text);
      for (const { file, appends } of inner.heredocs)
        if (file !== undefined) add({ path: file, what: appends ? "added to" : "written", elsewhere });
      for (const one of affectedBy(inner)) add({ ...one, elsewhere: one.elsewhere || elsewhere });
    }
  }
  script.lines.forEach((line, at) => {
    if (inHeredoc.has(at)) return;
    // After a `cd` in the same line the folder is not known.
    const folder = /(?:^|[\s;&|(])cd\s/.test(line) ? undefined : script.folders[at];
    for (const command of commandsIn(line)) {
      const changes = [...(openers.has(at) ? [] : redirected(command)), ...changedBy(command.words)];
      for (const [what, path] of changes)
        if (isFile(path)) add({ path: pathIn(script, folder, path), what, elsewhere: false });
    }
  });
  return [...found.values()];
}

const isFile = (path: string) => path !== "" && !/^(?:\/dev\/|-|&)/.test(path) && !/[$`]\(|`/.test(path);

const redirected = ({ writes }: Command): [Effect, string][] =>
  writes.map(({ path, appends }) => [appends ? "added to" : "written", path]);

/** The names before a command that only say how it runs. */
const BEFORE =
  /^(?:sudo|env|time|timeout|nice|nohup|setsid|command|exec|if|then|else|elif|do|while|until|!|\{|\(|\w+=.*)$/;

/** The program of a command, without the names before it, and its arguments. */
export function programAndRest(all: readonly string[]): [program: string, rest: string[]] {
  let at = 0;
  for (; at < all.length; at += 1) {
    const word = all[at] ?? "";
    if (BEFORE.test(word)) continue;
    // Options and times of the names before: `sudo -u postgres`, `timeout -k 5 30`.
    if (at === 0 || !(/^-/.test(word) || /^\d+[smhd]?$/.test(word))) break;
    if (/^-[ugkns]$/.test(word)) at += 1;
  }
  return [all[at] ?? "", all.slice(at + 1)];
}

function changedBy(all: readonly string[]): [Effect, string][] {
  const [program, rest] = programAndRest(all);
  const named = rest.filter((word) => !word.startsWith("-"));
  const each = (what: Effect, paths: readonly string[]) =>
    paths.map((path): [Effect, string] => [what, path]);
  switch (program.split("/").at(-1)) {
    case "rm":
    case "rmdir":
    case "unlink":
    case "shred":
      return each("removed", named);
    case "mv":
      return each("moved", named);
    case "cp":
    case "ln":
      return named.length > 1 ? each("written", named.slice(-1)) : [];
    case "touch":
    case "truncate":
      return each("written", named.slice(-1));
    case "tee":
      return each(rest.some((word) => /^(?:-\w*a|--append)/.test(word)) ? "added to" : "written", named);
    case "sed":
      return rest.some((word) => /^(?:-\w*i|--in-place)/.test(word)) ? each("changed", named.slice(-1)) : [];
    case "curl":
      return each("written", after(rest, /^(?:-o|--output)$/));
    case "wget":
      return each("written", after(rest, /^(?:-O|--output-document)$/));
    default:
      return [];
  }
}

const after = (words: readonly string[], option: RegExp) =>
  words.filter((_, at) => at > 0 && option.test(words[at - 1] ?? ""));

const TOKEN =
  /(\d?&?>>?\|?&?)\s*|&&|\|\||[;|&()]|((?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;&|()<>"'\\])+)|<+|\s+/g;

/** The simple commands of a line, with their words unquoted and their redirections apart. */
export function commandsIn(line: string): Command[] {
  const commands: Command[] = [{ words: [], writes: [] }];
  let redirect: string | undefined;
  for (const [token, arrow, word] of line.replace(/(?:^|\s)#.*$/, "").matchAll(TOKEN)) {
    const command = commands.at(-1);
    if (!command) break;
    if (arrow !== undefined) redirect = arrow;
    else if (word !== undefined) {
      const text = word.replace(/^["']|["']$/g, "");
      // `2>&1` duplicates a stream and names no file.
      if (redirect === undefined) command.words.push(text);
      else if (!redirect.endsWith("&")) command.writes.push({ path: text, appends: redirect.includes(">>") });
      redirect = undefined;
    } else if (/^\s*$/.test(token)) continue;
    else if (token.startsWith("<")) redirect = "&";
    else commands.push({ words: [], writes: [] });
  }
  return commands;
}
