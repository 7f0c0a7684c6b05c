import { afterEach, expect, test, vi } from "vitest";
import { callHeaders } from "./headers";

afterEach(() => vi.unstubAllGlobals());
const signedIn = (id: string | null) => vi.stubGlobal("sessionStorage", { getItem: () => id });

test("every call names the installation, and the project when the page is about one", () => {
  signedIn("4512");
  expect(callHeaders("/projects", "/app")).toEqual({ "Installation-Id": "4512" });
  expect(callHeaders("/execution/progress", "/app/77/home")).toEqual({
    "Installation-Id": "4512",
    "Project-Id": "77",
  });
});

test("without an installation only calls about the person are made", () => {
  signedIn(null);
  expect(() => callHeaders("/projects", "/app")).toThrow("No installation ID found");
  expect(callHeaders("/github/user", "/app")).toEqual({});
});
