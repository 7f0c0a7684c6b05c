import { AskFirst } from "./ask-first";
import { useBeginChange } from "./use-begin-change";

/** Begins the change that reverts the one that was completed last. */
export function UndoChange({ projectId, number }: { projectId: number; number: number }) {
  const begin = useBeginChange(projectId);
  return (
    <AskFirst
      open="Undo"
      title={`Undo change ${number}?`}
      keep="Keep it"
      yes={["Begin undoing", "Beginning...", "signal"]}
      act={{ ...begin, mutate: () => begin.mutate({ wish: `Undo change ${number}` }) }}
    >
      This begins another change, which restores what existed before. You see its plan and approve each of its
      scripts before it runs. Data that was written since is not undone.
    </AskFirst>
  );
}
