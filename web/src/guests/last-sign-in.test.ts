import { expect, test } from "vitest";
import { lastSignIn } from "./last-sign-in";

const EARLY = "2026-11-21T09:28:25.028Z";
const LATE = "2026-11-21T09:28:25.1Z";

test.each([
  [{ signed_in_at: null, refused_at: null }, undefined],
  [
    { signed_in_at: EARLY, refused_at: null },
    { entered: true, at: EARLY },
  ],
  [
    { signed_in_at: null, refused_at: EARLY },
    { entered: false, at: EARLY },
  ],
  [
    { signed_in_at: LATE, refused_at: EARLY },
    { entered: true, at: LATE },
  ],
  [
    { signed_in_at: EARLY, refused_at: LATE },
    { entered: false, at: LATE },
  ],
])("of %j the later time counts", (guest, expected) => {
  expect(lastSignIn(guest)).toEqual(expected);
});
