/** The timeline in the order in which it happened. */
import { changeTitle } from "../changes/words";
import { counted } from "../lib/text";
import { DOCUMENT_NAMES } from "../versions/words";
import type { Day, Happening } from "./events";

/** Everything that happened, oldest first. */
export const inOrder = (days: readonly Day[]): Happening[] =>
  days.flatMap(({ happenings }) => happenings).reverse();

/** What existed once these things had happened: the change, the documents, and what ran without failing. */
export function standingAt(before: readonly Happening[]): [name: string, value: string][] {
  let change: string | undefined;
  const versions = new Map<string, number>();
  const ran = { execution: 0, validation: 0 };
  for (const one of before) {
    if (one.kind === "change") {
      change = one.is === "begun" ? changeTitle(one.change) : undefined;
      if (one.is === "begun") ran.execution = ran.validation = 0;
    } else if (one.kind === "version") versions.set(DOCUMENT_NAMES[one.document], one.version.number);
    else if (isDone(one.entry) && one.entry.track in ran) ran[one.entry.track as keyof typeof ran] += 1;
  }
  const documents = [...versions].map(([name, number]) => `${name} v${number}`);
  return [
    ...(change ? ([["Under way", change]] as [string, string][]) : []),
    ["Documents", documents.join(", ") || "None"],
    ["Completed", `${counted(ran.execution, "step")}, ${counted(ran.validation, "check")}`],
  ];
}

const isDone = ({ run }: Extract<Happening, { kind: "decision" }>["entry"]) =>
  run !== null && run.failure === null;
