import { expect, test } from "vitest";
import { examplesFor } from "./examples";

test("each example changes something", () => {
  expect(examplesFor("Port 8080")).toEqual(["Use port 9090", "Protect the page with a password"]);
  expect(examplesFor("Port 9090, behind a password")).toEqual(["Use port 9191", "Rotate the password"]);
  expect(examplesFor("Ports 9090 and 9191")).toEqual(["Protect the page with a password"]);
  expect(examplesFor(undefined)).toEqual([]);
});
