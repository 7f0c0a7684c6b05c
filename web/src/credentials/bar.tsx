import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { credentialsQuery } from "../api/credentials";
import { Button } from "../ui/button";
import { CredentialsDialog } from "./dialog";
import { labelOf } from "./rules";

/** Which credentials the project has, and the way to give more; nothing where the server keeps none. */
export function CredentialsBar({ projectId }: { projectId: number }) {
  const credentials = useQuery(credentialsQuery(projectId));
  const [open, setOpen] = useState(false);
  const kept = credentials.data;
  if (!kept) return null;
  return (
    <section
      aria-label="Credentials"
      className="flex shrink-0 items-center gap-3 border-line border-t px-4.5 py-2.5"
    >
      <KeyRound size={16} aria-hidden className="shrink-0 text-ink-2" />
      <p className="min-w-0 flex-1 text-note">
        <span className="font-[560]">Credentials</span>{" "}
        <span className="text-ink-2">
          {kept.length === 0
            ? "None yet. Add your cloud provider keys; they are stored encrypted."
            : kept.map(({ provider, names }) => `${labelOf(provider)} (${names.length})`).join(", ")}
        </span>
      </p>
      <Button size="small" onClick={() => setOpen(true)}>
        {kept.length === 0 ? "Add" : "Manage"}
      </Button>
      {open && <CredentialsDialog projectId={projectId} kept={kept} onClose={() => setOpen(false)} />}
    </section>
  );
}
