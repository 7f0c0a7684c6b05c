import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { type CredentialNames, credentialsKey, forgetCredentials } from "../api/credentials";
import { problemText } from "../api/errors";
import { shortDate } from "../lib/time";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";
import { Checklist } from "./checklist";
import { CredentialsForm } from "./form";
import { notes } from "./hiding";
import { type Needed, namesFor } from "./needed";
import { labelOf } from "./rules";
import { useChecklist } from "./use-checklist";

/** Tries a set of credentials, as far as there is a way to. */
export type Trial = (set: CredentialNames) => ReactNode;

interface CredentialsDialogProps {
  projectId: number;
  kept: CredentialNames[];
  trial: Trial;
  onClose: () => void;
}

/** The names of the project's credentials, and a form for more. */
export function CredentialsDialog({ projectId, kept, trial, onClose }: CredentialsDialogProps) {
  const { needed } = useChecklist(projectId);
  const [wanted, setWanted] = useState<Needed | undefined>(needed.find(({ given }) => !given));
  const [forms, setForms] = useState(1);
  const form = useRef<HTMLDivElement>(null);
  const enter = (one: Needed) => {
    // What is typed for another credential stays, unless the form has no field for this one.
    const field = form.current?.querySelector<HTMLElement>(`[data-credential="${CSS.escape(one.name)}"]`);
    if (field) return field.focus();
    setWanted(one);
    setForms(forms + 1);
  };
  return (
    <Dialog
      title="Credentials"
      description="They are encrypted when you save them and never shown again. Commands that you approve get them while they run; agents never see them."
      onClose={onClose}
    >
      <div className="min-h-0 overflow-y-auto px-5 pt-3 pb-5">
        {kept.length > 0 && (
          <ul className="mb-4 rounded-box border border-line">
            {kept.map((set) => (
              <Kept key={set.provider} projectId={projectId} set={set} trial={trial} />
            ))}
          </ul>
        )}
        {needed.length > 0 && <Checklist needed={needed} onEnter={enter} />}
        <div ref={form}>
          <CredentialsForm
            key={forms}
            projectId={projectId}
            kept={kept}
            provider={wanted?.provider ?? "aws"}
            names={namesFor(wanted?.provider ?? "aws", needed)}
            {...(forms > 1 && wanted ? { focus: wanted.name } : {})}
          />
        </div>
      </div>
    </Dialog>
  );
}

function Kept({ projectId, set, trial }: { projectId: number; set: CredentialNames; trial: Trial }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const forget = useOnce({
    mutationFn: () => forgetCredentials(set.provider),
    onSettled: () => queries.invalidateQueries({ queryKey: credentialsKey(projectId) }),
  });
  const label = labelOf(set.provider);
  return (
    <li className="border-line border-b px-3.5 py-2.5 last:border-0">
      <div className="flex items-center justify-between gap-3">
        <p className="font-[560]">
          {label}{" "}
          <span className="font-normal text-ink-2 text-small max-narrow:block">
            since {shortDate(set.updated_at)}
          </span>
        </p>
        <Button
          kind="danger"
          size="small"
          aria-label={forget.isPending ? undefined : `${asked ? "Remove for good" : "Remove"}: ${label}`}
          pending={forget.isPending}
          onClick={() => (asked ? forget.mutate() : setAsked(true))}
          onBlur={() => setAsked(false)}
        >
          {forget.isPending ? "Removing..." : asked ? "Remove for good" : "Remove"}
        </Button>
      </div>
      <p className="mt-0.5 flex flex-wrap gap-1.5">
        {set.names.map((name) => (
          <code key={name} className="rounded-[4px] bg-sunken px-1.5 py-0.5 font-mono text-tiny">
            {name}
          </code>
        ))}
      </p>
      {notes(set).map((note) => (
        <p key={note} className="mt-1 text-signal-text text-small">
          {note}
        </p>
      ))}
      {trial(set)}
      {forget.isError && (
        <div className="mt-2">
          <Problem>{problemText(forget.error)}</Problem>
        </div>
      )}
    </li>
  );
}
