import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import type { Progress, Step } from "../api/execution";
import { timeline } from "./events";
import { timelinePage } from "./html";
import { fileName, timelineRecord } from "./record";

const PROJECT = { id: 7, name: "Shop & <script>alert(1)</script>" };

const entry: AuditEntry = {
  at: "2026-11-20T10:00:00Z",
  track: "execution",
  plan_id: "p",
  step_number: 1,
  description: `Write "the" service`,
  attempt: 1,
  verdict: "approved",
  by: { login: "ada", user_id: 1 },
  command_sha256: "ab".repeat(32),
  command: "cat <<'EOF' > a.html\n<img src=x onerror=alert(1)>\nEOF",
  credentials: ["HCLOUD_TOKEN"],
  run: { attempt: 1, ended_at: "2026-11-20T10:00:02Z", failure: null, exit_code: 0, duration_ms: 2000 },
};

const step = {
  step_number: 1,
  attempt: 1,
  output: "\x1b[32mready\x1b[0m </pre><b>",
  output_truncated: true,
} as Step;
const progress: Progress = { id: "p", currentStep: 1, totalSteps: 1, steps: [step] };

const record = (steps: Step[] | undefined) =>
  timelineRecord({
    project: PROJECT,
    now: "2026-11-21T08:00:00Z",
    days: timeline({
      audit: [entry],
      versions: [
        {
          document: "requirements",
          versions: [{ number: 1, written_at: "2026-11-20T09:00:00Z", restored_from: null, present: true }],
        },
      ],
      costs: [
        { day: "2026-11-20", total_cost: "0.100001" },
        { day: "2026-11-19", total_cost: "0.200002" },
      ],
    }),
    documents: [
      { document: "requirements", version: 1, parts: [{ title: "Requirements", text: "# A <shop>" }] },
    ],
    plans: steps && { execution: { ...progress, steps }, validation: undefined, past: [] },
  });

const outputs = (steps: Step[] | undefined) =>
  record(steps).days.flatMap(({ happenings }) =>
    happenings.flatMap((one) => (one.kind === "decision" ? [one.output] : [])),
  );

test("the record has each day's events, their total cost, and the output of runs", () => {
  expect(record([step]).total_cost).toBe("0.300003");
  expect(record([step]).days.map(({ day, happenings }) => [day, happenings.length])).toEqual([
    ["2026-11-20", 2],
    ["2026-11-19", 0],
  ]);
  expect(outputs([step])).toEqual([{ is: "text", text: "ready </pre><b>", shortened: true }]);
});

test("a run whose step has run again since has no output", () => {
  expect(outputs([{ ...step, attempt: 2 }])).toEqual([{ is: "replaced" }]);
});

test("output that the owner left out is not in the record", () => {
  const brief = record(undefined);
  expect(brief.includes_output).toBe(false);
  expect(JSON.stringify(brief)).not.toContain("ready");
  expect(timelinePage(brief)).not.toContain("ready");
});

test("the page shows names, commands and output as text, and has no markup of theirs", () => {
  const page = timelinePage(record([step]));
  const { body, scripts } = read(page);
  expect(scripts).toBe(0);
  expect(page).not.toMatch(/<(?:img|b|shop)\b/);
  for (const text of [
    PROJECT.name,
    `Step 1: Write "the" service`,
    "Approved by @ada",
    "<img src=x onerror=alert(1)>",
    "ready </pre><b>",
    "Output, middle omitted",
    "Requirements, version 1",
    "# A <shop>",
    "$0.3000",
    "HCLOUD_TOKEN",
  ])
    expect(body).toContain(text);
});

/** A page's text, and how many scripts it has. */
function read(page: string) {
  const body = page
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  return { body, scripts: page.split("<script").length - 1 };
}

test("a file is named after its project, and after its number when the name has no letters", () => {
  expect(fileName({ id: 7, name: "Mein Café: Größe/2" }, "html")).toBe("mein-cafe-gro-e-2-timeline.html");
  expect(fileName({ id: 7, name: "../…" }, "json")).toBe("7-timeline.json");
});
