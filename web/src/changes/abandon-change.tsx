import { AskFirst } from "./ask-first";
import { useAbandon } from "./use-abandon";

/** Cancels a change before any of it has run. */
export function AbandonChange({ projectId, number }: { projectId: number; number: number }) {
  const abandon = useAbandon(projectId, number);
  return (
    <AskFirst
      open="Abandon change"
      title={`Abandon change ${number}?`}
      keep="Keep it"
      yes={["Abandon change", "Abandoning...", "danger"]}
      act={abandon}
    >
      None of it has run. The documents return to their earlier text, and the text of this change stays among
      their versions.
    </AskFirst>
  );
}
