import { expect, test } from "vitest";
import type { Change } from "../api/changes";
import type { Step } from "../api/execution";
import { addressesOf } from "./addresses";
import { costsIn } from "./estimate";
import { healthOf } from "./health";
import { logFilesIn } from "./log-files";
import { changeUnderWay } from "./previous-change";

test("URLs are addresses, and so is a host with its port unless a URL names it", () => {
  const found = addressesOf({
    service: { host: "127.0.0.1", port: 8080, page_url: "http://127.0.0.1:8080/" },
    server: { host: "203.0.113.7", port: 22, user: "deploy" },
    site: "https://shop.example.com/start",
    probes: ["https://a.example.com", "https://b.example.com"],
  });
  expect(found).toEqual([
    { name: "service · page url", text: "http://127.0.0.1:8080/", href: undefined, local: true },
    { name: "server", text: "203.0.113.7:22", href: undefined, local: false },
    {
      name: "site",
      text: "https://shop.example.com/start",
      href: "https://shop.example.com/start",
      local: false,
    },
    { name: "probes", text: "https://a.example.com", href: "https://a.example.com", local: false },
    { name: "probes", text: "https://b.example.com", href: "https://b.example.com", local: false },
  ]);
});

test("an IPv6 address has its brackets", () => {
  expect(addressesOf({ db: { host: "2001:db8::1", port: 5432 } })[0]?.text).toBe("[2001:db8::1]:5432");
  expect(addressesOf({ db: { host: "::1", port: 5432 } })[0]).toMatchObject({
    text: "[::1]:5432",
    local: true,
  });
  expect(addressesOf({ site: "http://[::1]:8080/" })[0]?.local).toBe(true);
});

test.each([
  ["a password in an address", { url: "https://root:hunter2@db.example.com/" }],
  ["the name of a secret in an address", { url: "https://example.com/?key={{secret:KEY}}" }],
  ["another protocol", { url: "javascript:alert(1)" }],
  ["words in the place of a host", { server: { host: "not known yet", port: 22 } }],
  ["words after an address", { url: "https://example.com is down" }],
])("%s is not an address to open", (_, data) => {
  expect(addressesOf(data)).toEqual([]);
});

test("the costs are the section under their heading, up to the next of its level", () => {
  const plan = [
    "# Architecture: low costs",
    "## Shape",
    "One box.",
    "## What it costs",
    "About $5 a month.",
    "### Parts",
    "- box",
    "## Risks",
    "None.",
  ].join("\n");
  expect(costsIn(plan)).toBe("About $5 a month.\n### Parts\n- box");
  expect(costsIn("# Plan\n## Shape\nIt costs nothing.")).toBeUndefined();
  expect(costsIn("# Plan\n## Cost\n\n## Risks\nMany.")).toBeUndefined();
});

test("health counts the checks that passed and names the end of the last one", () => {
  const check = (status: Step["status"], since: string) => ({ status, since }) as Step;
  expect(
    healthOf([
      check("completed", "2026-11-20T10:00:00Z"),
      check("failed", "2026-11-20T12:00:00+00:00"),
      check("waiting_approval", "2026-11-20T13:00:00Z"),
    ]),
  ).toEqual({ passed: 1, planned: 3, at: "2026-11-20T12:00:00+00:00" });
  expect(healthOf([])).toEqual({ passed: 0, planned: 0, at: undefined });
});

test("while a change is under way, the result is that of the one before it", () => {
  const change = (number: number, status: Change["status"], on_top_of: number | null, is_current = false) =>
    ({ number, status, on_top_of, is_current }) as Change;
  const first = change(1, "completed", null);
  const abandoned = change(2, "abandoned", 1);
  const third = change(3, "in_progress", 1, true);
  expect(changeUnderWay([third, abandoned, first])).toEqual({ under: 3, previous: 1 });
  expect(changeUnderWay([change(1, "in_progress", null, true)])).toBeUndefined();
  expect(changeUnderWay([{ ...third, status: "completed" }, abandoned, first])).toBeUndefined();
  expect(changeUnderWay([])).toBeUndefined();
});

test("log files are named in the configuration data, as paths in the workspace", () => {
  expect(
    logFilesIn({
      files: { log: "web/service.log", again: "~/workspace/web/service.log", pid: "web/service.pid" },
      more: ["./out/a.log", "../secret.log", "/var/log/syslog.log", "~/.bash.log", "tail -n 50 b.log"],
    }),
  ).toEqual(["web/service.log", "out/a.log"]);
  expect(logFilesIn(undefined)).toEqual([]);
});
