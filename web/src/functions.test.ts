/** A function fits on a screen, components included: a longer one has several meanings, and each deserves a name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const TREE = import.meta.dirname;

/** How many lines a function may have outside of tests; the same as in Rust (`tests/house`). */
const LONGEST_FUNCTION = 95;

/** Types alone, and more of them than of everything else. */
const GENERATED = join("api", "schema.ts");

interface Found {
  name: string;
  /** The first line, from 1. */
  line: number;
  lines: number;
}

/** The functions of a file, those within others included. */
function functionsOf(file: string, text: string): Found[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: Found[] = [];
  const visit = (node: ts.Node, holder?: ts.Node) => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const first = lineAt(node.getStart(source));
      const name = node.name ?? (holder && ts.isVariableDeclaration(holder) ? holder.name : undefined);
      found.push({
        name: name?.getText(source) ?? "a function",
        line: first + 1,
        lines: lineAt(node.getEnd()) - first + 1,
      });
    }
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(source);
  return found;
}

test("a function is counted from its first line to its last", () => {
  const text =
    "export function One() {\n  const two = () => {\n    a();\n  };\n  two();\n}\n\nclass A {\n  b() {\n  }\n}\n";
  expect(functionsOf("a.tsx", text)).toEqual([
    { name: "One", line: 1, lines: 6 },
    { name: "two", line: 2, lines: 3 },
    { name: "b", line: 9, lines: 2 },
  ]);
});

test("a function of the application fits on a screen", { timeout: 30_000 }, () => {
  const files = readdirSync(TREE, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== GENERATED,
  );
  const all = files.flatMap((file) =>
    functionsOf(file, readFileSync(join(TREE, file), "utf8")).map((found) => ({ file, ...found })),
  );
  expect(all.length).toBeGreaterThan(1_000);
  const long = all.filter(({ lines }) => lines > LONGEST_FUNCTION);
  expect(long.map(({ file, line, name, lines }) => `${file}:${line}: ${name} has ${lines} lines`)).toEqual(
    [],
  );
});
