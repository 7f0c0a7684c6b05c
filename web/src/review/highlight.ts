/** Colors for the languages that agents write; loaded only with the review, and each language with its first file. */
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageRegistration,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { lazyPart } from "../lib/lazy-part";
import type { Language } from "./language";

/** Texts longer than this, in characters, are shown plain: coloring them would block the page. */
const MAX_CHARS = 64 * 1024;

/** A piece of a line, and its kind. */
export interface Token {
  text: string;
  color: string | undefined;
}

const theme = createCssVariablesTheme({ name: "crew", variablePrefix: "--code-" });

/** The grammars of a language and of those inside it. */
type Grammars = () => Promise<{ default: LanguageRegistration[] }>;

const GRAMMARS: Record<Language, Grammars> = {
  bash: lazyPart(() => import("shiki/langs/bash.mjs")),
  yaml: lazyPart(() => import("shiki/langs/yaml.mjs")),
  hcl: lazyPart(() => import("shiki/langs/hcl.mjs")),
  json: lazyPart(() => import("shiki/langs/json.mjs")),
  python: lazyPart(() => import("shiki/langs/python.mjs")),
  docker: lazyPart(() => import("shiki/langs/docker.mjs")),
  ini: lazyPart(() => import("shiki/langs/ini.mjs")),
  systemd: lazyPart(() => import("shiki/langs/systemd.mjs")),
  toml: lazyPart(() => import("shiki/langs/toml.mjs")),
  sql: lazyPart(() => import("shiki/langs/sql.mjs")),
};

let loading: Promise<HighlighterCore> | undefined;

function highlighter(): Promise<HighlighterCore> {
  loading ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The tokens of each line; empty for a text that cannot be colored. */
export async function tokensOf(text: string, lang: Language): Promise<Token[][] | undefined> {
  if (text.length > MAX_CHARS) return undefined;
  const [colors, grammars] = await Promise.all([highlighter(), GRAMMARS[lang]()]);
  await colors.loadLanguage(...grammars.default);
  const { tokens } = colors.codeToTokens(text, { lang, theme: "crew" });
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, color })));
}
