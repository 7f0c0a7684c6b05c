import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { Children, type ReactNode } from "react";
import { credentialsQuery } from "../api/credentials";
import { labelOf } from "../credentials/rules";
import { counted } from "../lib/text";
import type { Script } from "./script";
import { byFile, type Touches, touchesOf } from "./touches";

/** What a script's text touches: files, programs, addresses, and the credentials that its run is given. */
export function Glance({ projectId, script, folds }: { projectId: number; script: Script; folds: boolean }) {
  const credentials = useQuery(credentialsQuery(projectId));
  const sets = credentials.data ?? [];
  const touches = touchesOf(
    script,
    sets.flatMap(({ names }) => names),
  );
  return (
    <Section folds={folds} facts={factsOf(touches)}>
      <Row title="Files">
        {touches.files.map(({ path, lines, appends }) => (
          <li key={path} className="flex justify-between gap-3">
            <span className="min-w-0 wrap-anywhere font-mono">{path}</span>
            <span className="shrink-0 text-ink-2">
              {appends && "adds "}
              {counted(lines, "line")}
            </span>
          </li>
        ))}
        {byFile(touches.affected).map(({ path, effects, elsewhere }) => (
          <li key={`${path} ${elsewhere}`} className="flex justify-between gap-3">
            <span className="min-w-0 wrap-anywhere font-mono">{path}</span>
            <span className={effects.includes("removed") ? "shrink-0 text-bad" : "shrink-0 text-ink-2"}>
              {effects.join(", ")}
              {elsewhere && " on the server"}
            </span>
          </li>
        ))}
      </Row>
      <Row title="Commands">
        {touches.programs.length > 0 && <li className="font-mono">{touches.programs.join(", ")}</li>}
      </Row>
      <Row title="Addresses">
        {touches.addresses.map((address) => (
          <li key={address} className="wrap-anywhere font-mono">
            {address}
          </li>
        ))}
      </Row>
      <Row title="Credentials">
        {sets.map(({ provider, names }) => (
          <li key={provider}>
            {names.map((name, at) => (
              <span key={name}>
                {at > 0 && ", "}
                <span
                  className={touches.named.includes(name) ? "font-[600] font-mono" : "font-mono text-ink-2"}
                >
                  {name}
                </span>
              </span>
            ))}{" "}
            <span className="text-ink-2">({labelOf(provider)})</span>
          </li>
        ))}
      </Row>
      <p className="text-ink-2 text-small">
        {sets.length > 0 &&
          "This run gets all of the project's credentials; those that the script names are bold. "}
        This list is read from the text of the script. The script itself is what counts.
      </p>
    </Section>
  );
}

const TITLE = "What it touches";

/** Open next to the script; above the script, one line that expands. */
function Section({ folds, facts, children }: { folds: boolean; facts: string; children: ReactNode }) {
  if (!folds) {
    return (
      <section aria-label={TITLE} className="flex flex-col gap-3 px-4.5 py-4">
        <h3 className="text-base">{TITLE}</h3>
        {children}
      </section>
    );
  }
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-4.5 py-1.5 text-note [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden className="shrink-0 text-ink-2 group-open:rotate-90" />
        <span className="shrink-0 font-[560]">{TITLE}</span>
        <span className="min-w-0 truncate text-ink-2 text-small">{facts}</span>
      </summary>
      <div className="flex flex-col gap-3 px-4.5 pb-4">{children}</div>
    </details>
  );
}

function factsOf({ files, affected, programs, addresses, named }: Touches): string {
  const paths = new Set([...files, ...affected].map(({ path }) => path));
  const facts = [
    [paths.size, "file"],
    [programs.length, "command"],
    [addresses.length, "address"],
    [named.length, "credential"],
  ] as const;
  const plural = (what: string) => (what.endsWith("s") ? `${what}es` : `${what}s`);
  const shown = facts.filter(([count]) => count > 0);
  return shown.map(([count, what]) => `${count} ${count === 1 ? what : plural(what)}`).join(" · ");
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  const none = Children.toArray(children).length === 0;
  return (
    <div className="text-small">
      <p className="label mb-0.5">{title}</p>
      {none ? <p className="text-ink-2">None</p> : <ul className="flex flex-col gap-0.5">{children}</ul>}
    </div>
  );
}
