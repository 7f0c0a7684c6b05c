/**
 * Each folder of this tree is a room, and a room uses only the rooms below it. A cycle between two rooms would make
 * them one room with two names.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const TREE = import.meta.dirname;

/** The application's own folder: its entry point and its routes, which may use every folder. */
const APP = ".";

/** The folders at the bottom, each with those that it may use. Everything above them may use them all. */
const BOTTOM: Record<string, string[]> = {
  lib: [],
  socket: ["lib"],
  api: ["lib"],
  ui: ["lib", "api"],
};

interface Import {
  from: string;
  to: string;
  /** The line to show to the reader. */
  text: string;
}

const folderOf = (file: string) => dirname(file).replaceAll("\\", "/");

/** The imports of a file that lead to another folder of this tree, including types and lazy ones. */
function importsOf(file: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(TREE, file), "utf8"), true, true);
  return importedFiles
    .map(({ fileName }) => ({ fileName, target: normalize(join(dirname(file), fileName)) }))
    .filter(({ fileName, target }) => fileName.startsWith(".") && !target.startsWith(".."))
    .map(({ fileName, target }) => ({
      from: folderOf(file),
      to: folderOf(target),
      text: `${file} imports ${fileName}`,
    }))
    .filter(({ from, to }) => from !== to);
}

const files = readdirSync(TREE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const imports = files.flatMap(importsOf);

/** The imports on a path from a folder back to itself, if there is one. */
function cycleFrom(start: string): Import[] | undefined {
  const seen = new Set<string>();
  const walk = (room: string): Import[] | undefined => {
    for (const next of imports.filter(({ from }) => from === room)) {
      if (next.to === start) return [next];
      if (seen.has(next.to)) continue;
      seen.add(next.to);
      const rest = walk(next.to);
      if (rest) return [next, ...rest];
    }
    return undefined;
  };
  return walk(start);
}

test("the imports of the tree are found", () => {
  expect(imports).toContainEqual({ from: "ui", to: "lib", text: "ui/split.tsx imports ../lib/media" });
  expect(imports.some(({ to }) => to === "terminal")).toBe(true);
});

test("no folder imports another that leads back to it", () => {
  const rooms = [...new Set(imports.map(({ from }) => from))];
  const cycles = rooms.map((room) => cycleFrom(room)?.map(({ text }) => text)).filter(Boolean);
  expect(cycles[0] ?? []).toEqual([]);
});

test.each(Object.entries(BOTTOM))("%s uses only the rooms below it", (room, below) => {
  const wrong = imports.filter(({ from, to }) => from === room && !below.includes(to));
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

const isPage = (room: string) => room === "pages" || room.startsWith("pages/");

test("only the routes lead to a page, and nothing leads to the application", () => {
  const wrong = imports.filter(({ from, to }) => to === APP || (isPage(to) && !isPage(from) && from !== APP));
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

test("the routes take their components from the pages alone", () => {
  const isBottom = (room: string) => Object.hasOwn(BOTTOM, room);
  const wrong = imports.filter(
    ({ text, to }) => text.startsWith("routes.tsx ") && !isPage(to) && !isBottom(to),
  );
  expect(wrong.map(({ text }) => text)).toEqual([]);
  expect(files.filter((file) => folderOf(file) === APP && file.endsWith(".tsx"))).toEqual([
    "main.tsx",
    "routes.tsx",
  ]);
});
