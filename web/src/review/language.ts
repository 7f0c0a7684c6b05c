/** The four languages that agents write, by the name of a file. */
export type Language = "bash" | "yaml" | "hcl" | "json";

const LANGUAGES: Record<string, Language> = {
  sh: "bash",
  bash: "bash",
  yml: "yaml",
  yaml: "yaml",
  tf: "hcl",
  tfvars: "hcl",
  hcl: "hcl",
  json: "json",
  tfstate: "json",
};

/** The language of a file, by its name or its first line. */
export function languageOf(path: string, text: string): Language | undefined {
  if (/^#!.*\b(?:ba|da)?sh\b/.test(text)) return "bash";
  return LANGUAGES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];
}
