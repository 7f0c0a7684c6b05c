import "./code.css";
import { useEffect, useState } from "react";
import { lazyPart } from "../lib/lazy-part";
import type { Token } from "./highlight";
import type { Language } from "./language";
import { pieces } from "./unseen";

const highlight = lazyPart(() => import("./highlight"));

/** The height of a line of code, in pixels: boxes are a whole number of lines high. */
export const LINE_PX = 20;

interface LineProps {
  text: string;
  /** Its tokens, once they are known. */
  tokens?: readonly Token[] | undefined;
  number?: number | undefined;
  mark?: "+" | "−" | undefined;
  /** Whether the text continues after it. */
  ends?: boolean;
}

/** One line; the line end is part of it, so that copying reproduces the exact text. */
export function Line({ text, tokens, number, mark, ends = true }: LineProps) {
  return (
    <span className="code-line" data-n={number ?? ""} data-mark={mark}>
      {mark && <span className="sr-only">{mark === "+" ? "added: " : "removed: "}</span>}
      {tokens ? <Tokens tokens={tokens} /> : <Seen text={text} />}
      {ends && "\n"}
    </span>
  );
}

/** Tokens never change within a line, so their index is their key. */
function Tokens({ tokens }: { tokens: readonly Token[] }) {
  let at = 0;
  return tokens.map(({ text, color }) => {
    const key = at;
    at += text.length;
    return (
      <span key={key} style={color ? { color } : {}}>
        <Seen text={text} />
      </span>
    );
  });
}

/**
 * Code with the names of the characters that a reader would not see. Copying it copies the characters, not the names.
 */
function Seen({ text }: { text: string }) {
  const [first, ...rest] = pieces(text);
  if (!rest.length && !first?.name) return text;
  let at = 0;
  return [first, ...rest].map((piece) => {
    if (!piece) return null;
    const key = at;
    at += piece.text.length;
    if (!piece.name) return <bdi key={key}>{piece.text}</bdi>;
    return (
      <bdi key={key} className="unseen" data-name={piece.name}>
        {piece.text}
      </bdi>
    );
  });
}

/** The tokens of a text's lines, shortly after it is shown; until then, and if there are none, the text is plain. */
export function useTokens(text: string, lang: Language | undefined): Token[][] | undefined {
  const [known, setKnown] = useState<{ text: string; tokens: Token[][] | undefined }>();
  useEffect(() => {
    if (!lang) return;
    let gone = false;
    highlight()
      .then(({ tokensOf }) => tokensOf(text, lang))
      .then(
        (tokens) => !gone && setKnown({ text, tokens }),
        (error: unknown) => console.error("Code could not be colored", error),
      );
    return () => {
      gone = true;
    };
  }, [text, lang]);
  return known?.text === text ? known.tokens : undefined;
}

/** The width of the numbers of this many lines. */
export const gutter = (lines: number) => `${Math.max(2, String(lines).length) * 0.55 + 1.65}rem`;

export const wrapping = (wrap: boolean) =>
  wrap ? "whitespace-pre-wrap break-words" : "w-max min-w-full whitespace-pre";
