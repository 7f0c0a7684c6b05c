import { expect, test } from "vitest";
import { slug, tableOfContents } from "./toc";

test("headings are listed with their depth, line and a link", () => {
  expect(tableOfContents("# Guide\n\nText\n\n## First steps\n### Log in\n#### Too deep")).toEqual([
    { depth: 1, text: "Guide", line: 1, id: "guide" },
    { depth: 2, text: "First steps", line: 5, id: "first-steps" },
    { depth: 3, text: "Log in", line: 6, id: "log-in" },
  ]);
});

test("a line of code is not a heading", () => {
  const text = "```sh\n# a comment\n~~~\n# still one\n```\n## After\n~~~~\n# code\n~~~\n# code\n~~~~\n## End";
  expect(tableOfContents(text).map((heading) => heading.text)).toEqual(["After", "End"]);
});

test("headings of the same name get different links", () => {
  expect(tableOfContents("## Backup\n## Backup\n## Backup").map((heading) => heading.id)).toEqual([
    "backup",
    "backup-2",
    "backup-3",
  ]);
});

test("a heading is listed without its markup", () => {
  const [heading] = tableOfContents("## The `main_db` on **[web-1](https://example.com)** ##");
  expect(heading?.text).toBe("The main_db on web-1");
  expect(heading?.id).toBe("the-main-db-on-web-1");
});

test("a heading without a word still has a link", () => {
  expect(slug("---")).toBe("section");
});
