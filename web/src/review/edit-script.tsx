import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { problemText } from "../api/errors";
import type { Step } from "../api/execution";
import { MAX_SCRIPT_BYTES } from "../api/limits";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Editor } from "../ui/editor";
import { Problem } from "../ui/states";
import { movedOn, type ScriptDraft } from "./script-draft";

interface EditScriptProps {
  /** The step as it was when the editor was opened: saving applies to that attempt and that command. */
  shown: Step;
  /** The step as it is now. */
  now: Step;
  text: string;
  onChange: (text: string) => void;
  onSave: (shown: Step, script: string) => Promise<void>;
  onSaved: () => void;
  onDiscard: () => void;
}

/** The script as text that its owner may change before approving it. */
export function EditScript({ shown, now, text, onChange, onSave, onSaved, onDiscard }: EditScriptProps) {
  const save = useMutation({ mutationFn: () => onSave(shown, text), onSuccess: onSaved });
  const dirty = text !== shown.command;
  const bytes = new TextEncoder().encode(text).length;
  const moved = movedOn(now, { attempt: shown.attempt, sha256: shown.command_sha256 ?? null });
  const may = dirty && bytes <= MAX_SCRIPT_BYTES && !save.isPending && moved === undefined;
  return (
    <>
      <div className="mt-3 flex min-h-0 flex-1 flex-col border-line border-t">
        {moved !== undefined && (
          <div className="flex flex-wrap items-center gap-2.5 px-4.5 py-2.5">
            <Problem>{moved} Your text stays here: copy it, or continue when the step waits again.</Problem>
            <CopyButton what="your script" text={text} />
          </div>
        )}
        {save.isError && moved === undefined && (
          <div className="px-4.5 py-2.5">
            <Problem>This script was not saved. {problemText(save.error)}</Problem>
          </div>
        )}
        <Editor
          name={`step ${shown.step_number}`}
          text={text}
          readOnly={false}
          first
          onChange={onChange}
          onSave={() => may && save.mutate()}
        />
      </div>
      <footer className="flex shrink-0 flex-wrap items-center gap-2.5 border-line border-t px-4.5 py-3">
        <Button kind="signal" disabled={!may} pending={save.isPending} onClick={() => save.mutate()}>
          {save.isPending ? "Saving..." : "Save as your script"}
        </Button>
        <Button kind="quiet" pending={save.isPending} onClick={onDiscard}>
          {dirty ? "Discard your changes" : "Back to the review"}
        </Button>
        <span className="ml-auto text-ink-2 text-small">
          {bytes > MAX_SCRIPT_BYTES ? (
            <span role="status" className="text-bad">
              {bytes.toLocaleString("en-US")} of {MAX_SCRIPT_BYTES.toLocaleString("en-US")} bytes: shorten it
              to save it.
            </span>
          ) : (
            "Saving does not run it. You approve it afterward."
          )}
        </span>
      </footer>
    </>
  );
}

/** What is being edited, if anything; the editor keeps the step with which it was opened. */
export function useEditing(draft: ScriptDraft) {
  const [editing, setEditing] = useState<{ shown: Step; text: string }>();
  const [leaving, setLeaving] = useState(false);
  return {
    editing,
    leaving,
    begin: (shown: Step, text = shown.command ?? "") => setEditing({ shown, text }),
    change: (text: string) => {
      if (!editing) return;
      draft.keep(editing.shown, text);
      setEditing({ ...editing, text });
    },
    /** Ends the edit: its text was saved, or is not wanted. */
    stop: () => {
      draft.drop();
      setEditing(undefined);
      setLeaving(false);
    },
    stay: () => setLeaving(false),
    /** Whether the pane may close; asks first if there is unsaved text. */
    mayLeave: () => {
      const dirty = editing !== undefined && editing.text !== editing.shown.command;
      if (dirty) setLeaving(true);
      return !dirty;
    },
  };
}
