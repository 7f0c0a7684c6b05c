import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { credentialsQuery } from "../api/credentials";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { CredentialsDialog, type Trial } from "./dialog";
import { labelOf } from "./rules";
import { useChecklist } from "./use-checklist";

interface CredentialsBarProps {
  projectId: number;
  /** Whether its dialog is open. */
  open: boolean;
  onOpen: (open: boolean) => void;
  trial: Trial;
}

/** Shows which credentials the project has, with a button to add more; nothing if the server stores none. */
export function CredentialsBar({ projectId, open, onOpen, trial }: CredentialsBarProps) {
  const credentials = useQuery(credentialsQuery(projectId));
  const kept = credentials.data;
  const { needed, complete } = useChecklist(projectId);
  const missing = needed.filter(({ given }) => !given);
  if (!kept) return credentials.isError ? <Unread retry={() => void credentials.refetch()} /> : null;
  return (
    <section
      aria-label="Credentials"
      className="flex shrink-0 items-center gap-3 border-line border-t px-4.5 py-2.5"
    >
      <KeyRound size={16} aria-hidden className="shrink-0 text-ink-2" />
      <p className="min-w-0 flex-1 text-note">
        <span className="font-[560]">Credentials</span>{" "}
        <span className={cx("break-words", missing.length > 0 ? "text-signal-text" : "text-ink-2")}>
          {missing.length > 0
            ? `Missing: ${missing.map(({ name }) => name).join(", ")}`
            : kept.length === 0
              ? complete && needed.length === 0
                ? "None needed"
                : "None yet. Add your cloud provider keys; they are stored encrypted."
              : kept.map(({ provider, names }) => `${labelOf(provider)} (${names.length})`).join(", ")}
        </span>
      </p>
      <Button size="small" onClick={() => onOpen(true)}>
        {kept.length === 0 ? "Add" : "Manage"}
      </Button>
      {open && (
        <CredentialsDialog projectId={projectId} kept={kept} trial={trial} onClose={() => onOpen(false)} />
      )}
    </section>
  );
}

function Unread({ retry }: { retry: () => void }) {
  return (
    <section
      aria-label="Credentials"
      className="flex shrink-0 items-center gap-3 border-line border-t px-4.5 py-2.5"
    >
      <p role="alert" className="min-w-0 flex-1 text-bad text-note">
        The credentials could not be read.
      </p>
      <Button size="small" onClick={retry}>
        Try again
      </Button>
    </section>
  );
}
