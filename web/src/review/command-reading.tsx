import { Tabs } from "radix-ui";
import { useMemo, useState } from "react";
import type { Step } from "../api/execution";
import { useMedia, WIDE } from "../lib/media";
import { browserStorage } from "../lib/storage";
import { useStoredFlag } from "../lib/stored";
import { counted, shortDigest } from "../lib/text";
import { Button } from "../ui/button";
import { Markdown } from "../ui/markdown";
import { Scroll } from "../ui/scroll";
import { SecretText } from "../ui/secret-text";
import { TAB } from "../ui/tab";
import { CodeView, DiffView } from "./diff-view";
import { EditedBy, useEditor } from "./edited-by";
import { Glance } from "./glance";
import { CheckedByMachines } from "./machines";
import { PlannedChanges } from "./planned-changes";
import { RollbackScript } from "./rollback";
import { commandLines, readScript, type Script } from "./script";
import { ScriptView } from "./script-view";
import { shownView, type View, viewsOf } from "./views";
import { isWritten } from "./writings";
import { WrittenFiles } from "./written-files";

export interface CommandReadingProps {
  projectId: number;
  step: Step;
  /** The decisions, at the bottom and always in reach. */
  actions: React.ReactNode;
  /** The focus returns from the editor. */
  back: "saved" | "discarded" | undefined;
  onEdit: () => void;
}

/** The command to read: its views, what is known about it next to them, and the decisions below. */
export function CommandReading({ projectId, step, actions, back, onEdit }: CommandReadingProps) {
  const text = step.command ?? "";
  const script = useMemo(() => readScript(text), [text]);
  const wide = useMedia(WIDE);
  return (
    <>
      <div className="mt-3 flex min-h-0 flex-1 border-line border-t max-wide:flex-col max-wide:overflow-y-auto">
        <Views projectId={projectId} step={step} script={script} back={back} />
        <Aside>
          <PlannedChanges step={step} className="border-line border-b px-4.5 py-4" />
          <CheckedByMachines step={step} className="border-line border-b px-4.5" />
          <Glance projectId={projectId} script={script} folds={!wide} />
          {step.output && step.status === "failed" && <LastOutput text={step.output} />}
        </Aside>
      </div>
      {/* On a phone the short buttons share the first line; a reason that is typed has the place to itself. */}
      <footer className="max-[480px]:[&>[data-reason]]:order-1 flex shrink-0 flex-wrap items-center gap-2.5 rounded-b-card border-line border-t bg-signal-veil px-4.5 py-3 max-narrow:rounded-none short:rounded-none short:py-2 short:[&:has(form)>:not(form)]:hidden">
        {actions}
        {step.status === "waiting_approval" && (
          <Button kind="quiet" autoFocus={back !== undefined} className="[form~&]:hidden" onClick={onEdit}>
            Edit
          </Button>
        )}
        <span
          title={step.command_sha256 ?? undefined}
          className="ml-auto font-mono text-ink-2 text-tiny max-[480px]:order-2"
        >
          attempt {step.attempt}
          {step.command_sha256 && (
            <>
              {" · "}
              <span className="max-[480px]:hidden">sha256 </span>
              {shortDigest(step.command_sha256)}
            </>
          )}
        </span>
      </footer>
    </>
  );
}

interface ViewsProps extends Pick<CommandReadingProps, "projectId" | "step" | "back"> {
  script: Script;
}

/** The views of the command, one at a time. */
function Views({ projectId, step, script, back }: ViewsProps) {
  const text = step.command ?? "";
  const files = script.heredocs.filter(isWritten);
  const [wrap, setWrap] = useStoredFlag(browserStorage, "groundcrew:wrap");
  const [chosen, choose] = useState<string | undefined>(back === "saved" ? "edited" : undefined);
  const views = viewsOf(step, files.length > 0);
  const shown = shownView(views, chosen);
  const stamp = `${step.step_number}:${step.attempt}:${step.command_sha256 ?? ""}`;
  return (
    <Tabs.Root
      value={shown}
      onValueChange={choose}
      className="flex min-h-0 min-w-0 flex-1 flex-col max-wide:order-2 max-wide:min-h-auto max-wide:flex-none"
    >
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-3 border-line border-b pr-3 pl-1.5 max-wide:sticky max-wide:top-0 max-wide:z-1 max-wide:bg-surface">
        <TabList views={views} shown={shown} step={step} />
        <span className="flex items-center gap-3 text-ink-2 text-small">
          <span className="max-narrow:hidden">
            {summary(new Set(files.map(({ file }) => file)).size, script.lines.length)}
          </span>
          <Button
            size="small"
            aria-pressed={wrap}
            onClick={() => setWrap(!wrap)}
            className="aria-pressed:bg-sunken"
          >
            Wrap
          </Button>
        </span>
      </div>
      <Pane value="changes">
        <WrittenFiles projectId={projectId} script={script} stamp={stamp} wrap={wrap} />
        <h3 className="flex justify-between px-4 pt-2.5 text-note">
          Commands <span className="font-normal font-sans text-ink-2 text-small">run in this order</span>
        </h3>
        <Scroll label="Commands" className={wrap ? "" : "overflow-x-auto focus-visible:-outline-offset-2"}>
          <ScriptView script={script} wrap={wrap} only={commandLines(script)} />
        </Scroll>
      </Pane>
      <Pane value="script">
        <ScriptView script={script} wrap={wrap} />
      </Pane>
      <Pane value="edited">
        {step.edited && (
          <>
            <EditedBy step={step} className="border-line border-b px-4 py-2.5 text-note" />
            <DiffView before={step.edited.written} after={text} lang="bash" wrap={wrap} />
          </>
        )}
      </Pane>
      <Pane value="earlier">
        {step.earlier && <Earlier earlier={step.earlier} text={text} wrap={wrap} />}
      </Pane>
      <Pane value="back">{step.rollback && <RollbackScript rollback={step.rollback} wrap={wrap} />}</Pane>
      <Pane value="plan">
        <div className="px-4.5 py-3">
          <p className="label mb-1">Step to be executed by the execution agent</p>
          <Markdown text={step.prompt} />
        </div>
      </Pane>
    </Tabs.Root>
  );
}

interface TabListProps {
  views: readonly View[];
  shown: View;
  step: Step;
}

function TabList({ views, shown, step }: TabListProps) {
  const editor = useEditor(step);
  const labels: Record<View, string> = {
    changes: "Changes",
    script: "Script",
    edited: `Edited by ${editor}`,
    earlier: "Since last attempt",
    back: "Rollback",
    plan: "Plan",
  };
  return (
    <Tabs.List aria-label="View" className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
      {views.map((view) => (
        <Tabs.Trigger
          key={view}
          value={view}
          className={TAB}
          // The focus does not start on a decision: a key that was pressed before the pane opened must not approve
          // anything.
          {...(view === shown ? { "data-first": "" } : {})}
        >
          {labels[view]}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

interface PaneProps {
  value: View;
  children: React.ReactNode;
}

function Pane({ value, children }: PaneProps) {
  return (
    <Tabs.Content value={value} tabIndex={-1} className="flex min-h-0 flex-1 flex-col max-wide:flex-none">
      <Scroll
        label={`Review, ${value}`}
        className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2 max-wide:flex-none max-wide:overflow-x-auto max-wide:overflow-y-visible"
      >
        {children}
      </Scroll>
    </Tabs.Content>
  );
}

/** Next to the script if there is room; otherwise above it, collapsed. */
function Aside({ children }: { children: React.ReactNode }) {
  return (
    <div className="w-85 shrink-0 overflow-y-auto border-line border-l max-wide:order-1 max-wide:w-auto max-wide:overflow-visible max-wide:border-b max-wide:border-l-0">
      {children}
    </div>
  );
}

interface EarlierProps {
  earlier: NonNullable<Step["earlier"]>;
  text: string;
  wrap: boolean;
}

/** How the previous attempt ended, and what the agent has changed since. */
function Earlier({ earlier, text, wrap }: EarlierProps) {
  return (
    <>
      <p className="border-line border-b px-4 py-2.5 text-note">
        {earlier.error_message ?? "The previous attempt ended."}
        {earlier.reason && (
          <>
            {" "}
            You wrote: “<SecretText text={earlier.reason} />”
          </>
        )}
      </p>
      <DiffView before={earlier.command} after={text} lang="bash" wrap={wrap} />
    </>
  );
}

function LastOutput({ text }: { text: string }) {
  return (
    <section aria-label="What it printed" className="border-line border-t px-4.5 py-4">
      <h3 className="mb-2 text-base">What it printed</h3>
      <div className="overflow-x-auto">
        <CodeView text={text} lang={undefined} wrap />
      </div>
    </section>
  );
}

function summary(files: number, lines: number): string {
  const written = files === 0 ? "" : `${counted(files, "file")} · `;
  return `${written}${counted(lines, "line")}`;
}
