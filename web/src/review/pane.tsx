import { Tabs } from "radix-ui";
import { useMemo, useState } from "react";
import type { Step } from "../api/execution";
import { useMedia, WIDE } from "../lib/media";
import { useStoredFlag } from "../lib/stored";
import { shortDigest } from "../lib/text";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Dialog } from "../ui/dialog";
import { Markdown } from "../ui/markdown";
import { Pill } from "../ui/pill";
import { Scroll } from "../ui/scroll";
import { SecretText } from "../ui/secret-text";
import { descriptionOf, statusTone, statusWord } from "../ui/step-status";
import { TAB } from "../ui/tab";
import { CodeView, DiffView } from "./diff-view";
import { EditScript, useEditing } from "./edit-script";
import { EditedBy, useEditor } from "./edited-by";
import { Glance } from "./glance";
import { CheckedByMachines } from "./machines";
import { PlannedChanges } from "./planned-changes";
import { RollbackScript } from "./rollback";
import { commandLines, readScript } from "./script";
import { type Kept, movedOn, type ScriptDraft } from "./script-draft";
import { ScriptView } from "./script-view";
import { isWritten } from "./writings";
import { WrittenFiles } from "./written-files";

interface ReviewPaneProps {
  projectId: number;
  step: Step;
  stage: "Execution" | "Validation";
  total: number;
  /** The decisions, at the bottom and always in reach. */
  actions: React.ReactNode;
  /** The edit that was not saved, if there is one. */
  draft: ScriptDraft;
  /** Saves the owner's text as the command, for the step as it was shown. */
  onEdit: (shown: Step, script: string) => Promise<void>;
  onClose: () => void;
}

/** One command under review, at full height: what it changes, the script itself, and what it touches. */
export default function ReviewPane({ onEdit, onClose, draft, ...reading }: ReviewPaneProps) {
  const { step, stage, total } = reading;
  const { editing, leaving, ...edit } = useEditing(draft);
  // How the editor was closed, which decides where the focus goes.
  const [back, setBack] = useState<"saved" | "discarded">();
  const end = (how: "saved" | "discarded") => {
    edit.stop();
    setBack(how);
  };
  return (
    <Dialog
      full
      title={`${editing ? "Edit" : "Review"}: ${descriptionOf(step)}`}
      eyebrow={`${stage} · step ${step.step_number} of ${total}`}
      aside={
        <span className="max-narrow:hidden">
          <Pill tone={statusTone(step)}>{statusWord(step.status)}</Pill>
        </span>
      }
      onClose={() => edit.mayLeave() && onClose()}
    >
      {leaving && (
        <div role="alert" className="mx-5 mt-2 flex flex-wrap items-center gap-2.5 text-note">
          <span className="mr-auto">Your changes are not saved.</span>
          <Button size="small" autoFocus onClick={edit.stay}>
            Keep editing
          </Button>
          <Button
            size="small"
            kind="danger"
            onClick={() => {
              edit.stop();
              onClose();
            }}
          >
            Close without saving
          </Button>
        </div>
      )}
      {editing ? (
        <EditScript
          {...editing}
          now={step}
          onChange={edit.change}
          onSave={onEdit}
          onSaved={() => end("saved")}
          onDiscard={() => end("discarded")}
        />
      ) : (
        <>
          {draft.kept && (
            <Unsaved
              kept={draft.kept}
              step={step}
              onContinue={() => edit.begin(step, draft.kept?.text)}
              onDiscard={draft.drop}
            />
          )}
          <Reading {...reading} back={back} onEdit={() => edit.begin(step, draft.kept?.text)} />
        </>
      )}
    </Dialog>
  );
}

interface UnsavedProps {
  kept: Kept;
  step: Step;
  onContinue: () => void;
  onDiscard: () => void;
}

/** Offers to continue the edit that was left unsaved. */
function Unsaved({ kept, step, onContinue, onDiscard }: UnsavedProps) {
  return (
    <div role="status" className="mx-5 mt-2 flex flex-wrap items-center gap-2.5 text-note">
      <span className="mr-auto">Your changes to this script are not saved. {movedOn(step, kept)}</span>
      {step.status === "waiting_approval" ? (
        <Button size="small" onClick={onContinue}>
          Continue editing
        </Button>
      ) : (
        <CopyButton what="your script" text={kept.text} />
      )}
      <Button size="small" kind="danger" onClick={onDiscard}>
        Discard your changes
      </Button>
    </div>
  );
}

interface ReadingProps extends Omit<ReviewPaneProps, "draft" | "onEdit" | "onClose"> {
  /** The focus returns from the editor. */
  back: "saved" | "discarded" | undefined;
  onEdit: () => void;
}

function Reading({ projectId, step, actions, back, onEdit }: ReadingProps) {
  const text = step.command ?? "";
  const script = useMemo(() => readScript(text), [text]);
  const files = script.heredocs.filter(isWritten);
  const editor = useEditor(step);
  const [wrap, setWrap] = useStoredFlag(localStorage, "groundcrew:wrap");
  const [chosen, setTab] = useState<string | undefined>(back === "saved" ? "edited" : undefined);
  const usual = files.length > 0 ? "changes" : "script";
  const gone =
    (chosen === "edited" && !step.edited) ||
    (chosen === "changes" && files.length === 0) ||
    (chosen === "back" && !step.rollback);
  const tab = chosen === undefined || gone ? usual : chosen;
  const wide = useMedia(WIDE);
  const commands = commandLines(script);
  // The focus does not start on a decision: a key that was pressed before the pane opened must not approve anything.
  const first = (value: string) => (value === tab ? { "data-first": "" } : {});
  const stamp = `${step.step_number}:${step.attempt}:${step.command_sha256 ?? ""}`;
  return (
    <>
      <div className="mt-3 flex min-h-0 flex-1 border-line border-t max-wide:flex-col max-wide:overflow-y-auto">
        <Tabs.Root
          value={tab}
          onValueChange={setTab}
          className="flex min-h-0 min-w-0 flex-1 flex-col max-wide:order-2 max-wide:min-h-auto max-wide:flex-none"
        >
          <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-3 border-line border-b pr-3 pl-1.5 max-wide:sticky max-wide:top-0 max-wide:z-1 max-wide:bg-surface">
            <Tabs.List aria-label="View" className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
              {files.length > 0 && (
                <Tabs.Trigger value="changes" className={TAB} {...first("changes")}>
                  Changes
                </Tabs.Trigger>
              )}
              <Tabs.Trigger value="script" className={TAB} {...first("script")}>
                Script
              </Tabs.Trigger>
              {step.edited && (
                <Tabs.Trigger value="edited" className={TAB} {...first("edited")}>
                  Edited by {editor}
                </Tabs.Trigger>
              )}
              {step.earlier && (
                <Tabs.Trigger value="earlier" className={TAB}>
                  Since last attempt
                </Tabs.Trigger>
              )}
              {step.rollback && (
                <Tabs.Trigger value="back" className={TAB}>
                  Rollback
                </Tabs.Trigger>
              )}
              {step.prompt && (
                <Tabs.Trigger value="plan" className={TAB}>
                  Plan
                </Tabs.Trigger>
              )}
            </Tabs.List>
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
            <Scroll
              label="Commands"
              className={wrap ? "" : "overflow-x-auto focus-visible:-outline-offset-2"}
            >
              <ScriptView script={script} wrap={wrap} only={commands} />
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

function Pane({ value, children }: { value: string; children: React.ReactNode }) {
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
  const written = files === 0 ? "" : `${files} ${files === 1 ? "file" : "files"} · `;
  return `${written}${lines} ${lines === 1 ? "line" : "lines"}`;
}
