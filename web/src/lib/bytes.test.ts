import { expect, test } from "vitest";
import { size } from "./bytes";

test.each([
  [0, "0 B"],
  [812, "812 B"],
  [1_400, "1.4 KB"],
  [999_499, "999 KB"],
  [999_600, "1.0 MB"],
  [38_200_000, "38 MB"],
  [5_000_000_000_000, "5000 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(size(bytes)).toBe(text);
});
