/** Colors for the four languages that agents write; loaded only with the review. */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { part } from "../lib/part";
import type { Language } from "./language";

/** Texts longer than this, in characters, are shown plain: coloring them would block the page. */
const MAX_CHARS = 64 * 1024;

/** A piece of a line, and its kind. */
export interface Token {
  text: string;
  color: string | undefined;
}

const theme = createCssVariablesTheme({ name: "crew", variablePrefix: "--code-" });

let loading: Promise<HighlighterCore> | undefined;

function highlighter(): Promise<HighlighterCore> {
  loading ??= createHighlighterCore({
    themes: [theme],
    langs: [
      part(() => import("shiki/langs/bash.mjs")),
      part(() => import("shiki/langs/yaml.mjs")),
      part(() => import("shiki/langs/hcl.mjs")),
      part(() => import("shiki/langs/json.mjs")),
    ],
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
  const { tokens } = (await highlighter()).codeToTokens(text, { lang, theme: "crew" });
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, color })));
}
