import { expect, test } from "vitest";
import type { FileEntry } from "../socket/protocol";
import { type Folder, foldersTo, nameProblem, parentOf, rowsOf, treeMove } from "./rows";

const entry = (name: string, kind: FileEntry["kind"] = "file"): FileEntry => ({
  name,
  kind,
  bytes: 12,
  modified: "2026-11-20T08:00:00Z",
  editable: true,
});

const listing = (...entries: FileEntry[]): Folder => ({ listing: { entries, truncated: false } });

const WORKSPACE: Record<string, Folder> = {
  "": listing(entry("README.md"), entry("file10"), entry("file9"), entry("terraform", "directory")),
  terraform: listing(entry("main.tf"), entry("modules", "directory")),
  "terraform/modules": listing(),
};

const folder = (path: string): Folder => WORKSPACE[path] ?? {};
const rows = (...expanded: string[]) => rowsOf(folder, new Set(expanded));
const names = (...expanded: string[]) =>
  rows(...expanded).map((row) => (row.row === "entry" ? row.path : row.text));

test("folders come first, numbers count as numbers, and closed folders hide their content", () => {
  expect(names()).toEqual(["terraform", "file9", "file10", "README.md"]);
  expect(names("terraform")).toEqual([
    "terraform",
    "terraform/modules",
    "terraform/main.tf",
    "file9",
    "file10",
    "README.md",
  ]);
});

test("a folder shows that it is empty, loading, unreadable or cut short", () => {
  expect(names("terraform", "terraform/modules")[2]).toBe("This folder is empty.");
  expect(rowsOf(() => ({}), new Set())).toMatchObject([{ note: "loading" }]);
  expect(rowsOf(() => ({ problem: "No." }), new Set())).toMatchObject([{ note: "problem", text: "No." }]);
  expect(rowsOf(() => listing(), new Set())).toMatchObject([{ text: "The workspace is empty." }]);
  const cut = () => ({ listing: { entries: [entry("a")], truncated: true } });
  expect(rowsOf(cut, new Set()).at(-1)).toMatchObject({ note: "truncated" });
});

test("every entry has its position among its siblings", () => {
  const places = rows("terraform").flatMap((row) =>
    row.row === "entry" ? [[row.name, row.level, row.position, row.siblings]] : [],
  );
  expect(places.slice(0, 4)).toEqual([
    ["terraform", 1, 1, 4],
    ["modules", 2, 1, 2],
    ["main.tf", 2, 2, 2],
    ["file9", 1, 2, 4],
  ]);
});

test("the arrow keys, Home and End move through the tree", () => {
  const open = rows("terraform");
  expect(treeMove(open, "terraform", "ArrowDown")).toEqual({ to: "terraform/modules" });
  expect(treeMove(open, "terraform", "ArrowUp")).toBeUndefined();
  expect(treeMove(open, "file9", "ArrowUp")).toEqual({ to: "terraform/main.tf" });
  expect(treeMove(open, "terraform", "End")).toEqual({ to: "README.md" });
  expect(treeMove(open, "README.md", "Home")).toEqual({ to: "terraform" });
  expect(treeMove(open, "terraform", "ArrowRight")).toEqual({ to: "terraform/modules" });
  expect(treeMove(open, "terraform/modules", "ArrowRight")).toEqual({ expand: "terraform/modules" });
  expect(treeMove(open, "README.md", "ArrowRight")).toBeUndefined();
  expect(treeMove(open, "terraform", "ArrowLeft")).toEqual({ collapse: "terraform" });
  expect(treeMove(open, "terraform/main.tf", "ArrowLeft")).toEqual({ to: "terraform" });
  expect(treeMove(open, "README.md", "ArrowLeft")).toBeUndefined();
  expect(treeMove(open, "terraform", "Enter")).toEqual({ collapse: "terraform" });
  expect(treeMove(open, "file9", "Enter")).toEqual({ open: "file9" });
  expect(treeMove(open, "file9", "f")).toEqual({ to: "file10" });
  expect(treeMove(open, "file9", "t")).toEqual({ to: "terraform" });
  expect(treeMove(open, "file9", "z")).toBeUndefined();
  expect(treeMove(open, "file9", "Tab")).toBeUndefined();
});

test("the right arrow does not leave an open empty folder", () => {
  const open = rows("terraform", "terraform/modules");
  expect(treeMove(open, "terraform/modules", "ArrowRight")).toBeUndefined();
});

test("a path is split into its folders", () => {
  expect(foldersTo("terraform/modules/a.tf")).toEqual(["terraform", "terraform/modules"]);
  expect(foldersTo("a.tf")).toEqual([]);
  expect([parentOf("terraform/a.tf"), parentOf("a.tf")]).toEqual(["terraform", ""]);
});

test("a new file stays in the workspace", () => {
  for (const name of ["a.tf", "terraform/a.tf", ".env.example", "two words"])
    expect(nameProblem(name)).toBeUndefined();
  for (const name of ["", " ", "/etc/passwd", "../a", "a//b", "a/", "./a", "a\\b", "a\nb", "a "]) {
    expect(nameProblem(name)).toBeTypeOf("string");
  }
});

test("a name of more than 255 bytes is refused with its reason", () => {
  expect(nameProblem(`${"a".repeat(255)}/${"é".repeat(127)}`)).toBeUndefined();
  expect(nameProblem("a".repeat(256))).toContain("at most 255 bytes");
  expect(nameProblem(`folder/${"é".repeat(128)}`)).toContain("at most 255 bytes");
});
