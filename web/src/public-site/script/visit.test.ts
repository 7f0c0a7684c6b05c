import { expect, test } from "vitest";
import { objects } from "./analytics";
import { readings } from "./visit";

test("each milestone of a page counts once, even if several are passed at once", () => {
  const visit = readings(0);
  expect(visit.scrolled(20)).toEqual([]);
  expect(visit.scrolled(60)).toEqual([
    { type: "scroll", value: 25 },
    { type: "scroll", value: 50 },
  ]);
  expect(visit.scrolled(60)).toEqual([]);
  expect(visit.scrolled(99.8).map((event) => event.value)).toEqual([75, 100]);
});

test("a visitor who is still for half a minute is reported once, until they move again", () => {
  const visit = readings(0);
  expect(visit.check(25_000, true)).toEqual([]);
  expect(visit.check(30_000, true)).toEqual([{ type: "inactive", value: 30 }]);
  expect(visit.check(35_000, true)).toEqual([]);
  visit.act(36_000);
  expect(visit.check(66_000, true).map((event) => event.type)).toEqual(["inactive"]);
});

test("an active visitor is counted every half minute", () => {
  const visit = readings(0);
  visit.act(28_000);
  expect(visit.check(30_000, true)).toEqual([{ type: "engaged", value: 30 }]);
  expect(visit.check(35_000, true)).toEqual([]);
  visit.act(58_000);
  expect(visit.check(60_000, false)).toEqual([]);
});

test("a short visit is a bounce, once, unless it continues inside the site", () => {
  expect(readings(0).leave(10_000)).toEqual([]);
  const short = readings(0);
  expect(short.leave(9_999)).toEqual([{ type: "bounce", value: 10 }]);
  expect(short.leave(9_999)).toEqual([]);
  const onward = readings(0);
  onward.goOn();
  expect(onward.leave(2_000)).toEqual([]);
});

test("both Do Not Track and Global Privacy Control are respected", () => {
  expect(objects({ doNotTrack: "1" })).toBe(true);
  expect(objects({ globalPrivacyControl: true })).toBe(true);
  expect(objects({ doNotTrack: "0", globalPrivacyControl: false })).toBe(false);
  expect(objects({ doNotTrack: null })).toBe(false);
});
