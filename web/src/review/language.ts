/** The languages that agents write, by the name of a file. */
export type Language =
  | "bash"
  | "yaml"
  | "hcl"
  | "json"
  | "python"
  | "docker"
  | "ini"
  | "systemd"
  | "toml"
  | "sql";

const LANGUAGES: Record<string, Language> = {
  sh: "bash",
  bash: "bash",
  env: "bash",
  yml: "yaml",
  yaml: "yaml",
  tf: "hcl",
  tfvars: "hcl",
  hcl: "hcl",
  json: "json",
  tfstate: "json",
  py: "python",
  dockerfile: "docker",
  ini: "ini",
  cfg: "ini",
  cnf: "ini",
  service: "systemd",
  timer: "systemd",
  socket: "systemd",
  mount: "systemd",
  toml: "toml",
  sql: "sql",
};

/** The first line of a program names what runs it. */
const RUNNERS: [RegExp, Language][] = [
  [/^#!.*\b(?:ba|da)?sh\b/, "bash"],
  [/^#!.*\bpython[\d.]*\b/, "python"],
];

/** The language of a file, by its name or its first line; a template has the language of what it becomes. */
export function languageOf(path: string, text: string): Language | undefined {
  const runner = RUNNERS.find(([line]) => line.test(text));
  if (runner) return runner[1];
  const name = (path.split("/").at(-1) ?? "").toLowerCase().replace(/\.j2$/, "");
  const ending = /(?:^|\.)([a-z]+)$/.exec(name)?.[1] ?? "";
  return LANGUAGES[ending] ?? (name.startsWith("dockerfile") ? "docker" : undefined);
}
