/** Colors for the four languages that agents write; loaded with the review, and nowhere else. */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { Language } from "./language";

/** Texts longer than this are shown plain: coloring them would hold up the page. In characters. */
const MAX_CHARS = 64 * 1024;

/** A piece of a line, and what it is. */
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
      import("shiki/langs/bash.mjs"),
      import("shiki/langs/yaml.mjs"),
      import("shiki/langs/hcl.mjs"),
      import("shiki/langs/json.mjs"),
    ],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return loading;
}

/** The tokens of each line; a text that cannot be colored has none. */
export async function tokensOf(text: string, lang: Language): Promise<Token[][] | undefined> {
  if (text.length > MAX_CHARS) return undefined;
  const { tokens } = (await highlighter()).codeToTokens(text, { lang, theme: "crew" });
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, color })));
}
