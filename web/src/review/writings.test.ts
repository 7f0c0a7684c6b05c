import { expect, test } from "vitest";
import { readScript } from "./script";
import { type Content, writingsOf } from "./writings";

const ONE: Content = { is: "there", text: "one\n" };
const there = (text: string): Content => ({ is: "there", text });
const UNKNOWN: Content = { is: "unknown" };

const contents = (script: string, present: Content = ONE) =>
  writingsOf(readScript(script), () => present).map(({ before, after, again }) => [before, after, again]);

const TWO = "cat >a.txt <<'EOF'\ntwo\nEOF\n";
const THREE = "cat >>./a.txt <<'EOF'\nthree\nEOF\n";

test("a file that is written and then appended to is compared with what the script left", () => {
  expect(contents(TWO + THREE)).toEqual([
    [ONE, there("two\n"), false],
    [there("two\n"), there("two\nthree\n"), true],
  ]);
  expect(contents(THREE + THREE)).toEqual([
    [ONE, there("one\nthree\n"), false],
    [there("one\nthree\n"), there("one\nthree\nthree\n"), true],
  ]);
  expect(contents(THREE, { is: "new" })).toEqual([[{ is: "new" }, there("three\n"), false]]);
  expect(contents(TWO + THREE, UNKNOWN)[1]).toEqual([there("two\n"), there("two\nthree\n"), true]);
});

test.each([
  ["a command between them", `${TWO}sed -i s/two/2/ a.txt\n${THREE}`],
  ["a condition on its line", `[ -f b ] || ${TWO}${THREE}`],
  ["a condition around it", `if [ -f b ]; then\n${TWO}fi\n${THREE}`],
  ["a loop", `for i in 1 2; do\n${TWO}done\n${THREE}`],
  ["a function", `write() {\n${TWO}}\n${THREE}`],
])("after %s the content is not known", (_, script) => {
  expect(contents(script)[1]).toEqual([UNKNOWN, UNKNOWN, true]);
});

test("text appended to a file that an earlier command removed is not compared", () => {
  expect(contents(`rm -f a.txt\n${THREE}`)).toEqual([[UNKNOWN, UNKNOWN, true]]);
  // A whole file is compared with what is there now, whatever happens in between.
  expect(contents(`rm -f a.txt\n${TWO}`)[0]).toEqual([ONE, there("two\n"), true]);
  expect(contents(`rm -f aa.txt b-a.txt\n${THREE}`)[0]?.[0]).toEqual(ONE);
});

test("a block that has ended makes nothing below it conditional", () => {
  const closed =
    'if true; then echo yes; fi\nfor i in 1; do echo "$i"; done\nrun() { echo "fi"; }\n( cd b )\n';
  expect(contents(closed + TWO + THREE)[1]?.[0]).toEqual(there("two\n"));
});
