/**
 * The record as a separate page: it opens in any browser, prints, loads nothing and runs nothing.
 *
 * Scripts, output and names come from elsewhere. `html` escapes every value it inserts, and the page's own policy
 * forbids everything except its style, so that even text that slipped through could do nothing.
 */
import { decisionOf, outcomeOf, placeOf, titleOf } from "../audit/words";
import { changeTitle, changeWord } from "../changes/words";
import { cost } from "../lib/money";
import { duration } from "../lib/time";
import { DOCUMENT_NAMES } from "../versions/words";
import type { Output } from "./output";
import type { Recorded, TimelineRecord } from "./record";

/** Markup that is inserted as it is. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Hole = string | number | Markup | readonly Markup[] | undefined;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

function filled(hole: Hole): string {
  if (hole === undefined) return "";
  if (hole instanceof Markup) return hole.text;
  if (typeof hole === "object") return hole.map(({ text }) => text).join("\n");
  return escaped(String(hole));
}

function html(strings: TemplateStringsArray, ...holes: Hole[]): Markup {
  return new Markup(strings.reduce((text, string, at) => `${text}${filled(holes[at - 1])}${string}`));
}

const STYLE = new Markup(`<style>
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid; }
article { margin: 1rem 0; }
h3, p { margin: 0; }
h3 { font-size: 1rem; }
.cost { float: right; font-weight: normal; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; }
</style>`);

/** The whole page. */
export function timelinePage(record: TimelineRecord): string {
  const { project, days, documents } = record;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${project.name} · Timeline</title>
${STYLE}
</head>
<body>
<main>
<h1>${project.name}</h1>
<p>Timeline of a Groundcrew project, exported ${at(record.exported_at)}. Days and times are UTC.</p>
<p>Cost of all days: $${cost(record.total_cost)}. ${
    record.includes_output ? "The output of the last run of each step is included." : "Output is left out."
  }</p>
${days.map((one) => dayOf(one))}
${documents.length > 0 ? html`<h2>Documents</h2>` : undefined}
${documents.map((one) => documentOf(one))}
</main>
</body>
</html>
`.text;
}

function dayOf({ day, cost: paid, happenings }: TimelineRecord["days"][number]): Markup {
  const price = paid === undefined ? undefined : html` <span class="cost">$${cost(paid)}</span>`;
  return html`<section>
<h2>${day}${price}</h2>
${happenings.map((one) => happening(one))}
</section>`;
}

function happening(one: Recorded): Markup {
  if (one.kind === "version") {
    const { version, document } = one;
    const how = version.restored_from === null ? "Written" : `Restored from version ${version.restored_from}`;
    return html`<article>
<h3>${titled(DOCUMENT_NAMES[document])}, version ${version.number}</h3>
<p>${how}${version.written_at ? html` · ${at(version.written_at)}` : undefined}</p>
</article>`;
  }
  if (one.kind === "change") {
    const { change, is } = one;
    const begun = change.begun_by ? `Begun by @${change.begun_by.login}` : "Begun";
    const ended = `${titled(changeWord(change.status))} · cost $${cost(change.cost)}`;
    return html`<article>
<h3>${changeTitle(change)}</h3>
<p>${is === "begun" ? begun : ended} · ${at(is === "begun" ? change.begun_at : (change.ended_at ?? change.begun_at))}</p>
</article>`;
  }
  const { entry, output } = one;
  const outcome = outcomeOf(entry);
  const took = entry.run?.duration_ms;
  return html`<article>
<h3>${placeOf(entry)}: ${titleOf(entry)}</h3>
<p>${decisionOf(entry)} · ${at(entry.at)}${outcome && ` · ${outcome.word}`}${
    typeof took === "number" ? ` · took ${duration(took)}` : undefined
  }</p>
<p>Attempt ${entry.attempt} · Credentials: ${entry.credentials.join(", ") || "none"}</p>
${entry.command === null ? undefined : folded(`Command${entry.command_sha256 ? `, sha256 ${entry.command_sha256}` : ""}`, entry.command)}
${output && printed(output)}
</article>`;
}

function printed(output: Output): Markup {
  if (output.is === "replaced") return html`<p>A later run replaced its output.</p>`;
  if (output.is === "left_out") return html`<p>Only the newest output is in this file.</p>`;
  if (output.is === "nothing") return html`<p>It printed nothing.</p>`;
  return folded(output.shortened ? "Output, middle omitted" : "Output", output.text);
}

function documentOf({ document, version, parts }: TimelineRecord["documents"][number]): Markup {
  return html`<section>
<h3>${titled(DOCUMENT_NAMES[document])}, version ${version}</h3>
${parts.map((part) => folded(part.title, part.text))}
</section>`;
}

const folded = (title: string, text: string) =>
  html`<details>
<summary>${title}</summary>
<pre>${"\n"}${text}</pre>
</details>`;

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** A time that reads the same wherever the file is opened. */
function at(time: string): Markup {
  const utc = new Date(time).toISOString();
  return html`<time datetime="${utc}">${utc.slice(0, 16).replace("T", " ")}</time>`;
}
