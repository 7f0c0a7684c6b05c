import { useState } from "react";
import type { Step } from "../api/execution";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Dialog } from "../ui/dialog";
import { Pill } from "../ui/pill";
import { descriptionOf, statusTone, statusWord } from "../ui/step-status";
import { CommandReading, type CommandReadingProps } from "./command-reading";
import { EditScript, useEditing } from "./edit-script";
import { type Kept, movedOn, type ScriptDraft } from "./script-draft";

interface ReviewPaneProps extends Pick<CommandReadingProps, "projectId" | "step" | "actions"> {
  stage: "Execution" | "Validation";
  total: number;
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
          <CommandReading {...reading} back={back} onEdit={() => edit.begin(step, draft.kept?.text)} />
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
