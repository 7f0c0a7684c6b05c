import type { Progress } from "../api/execution";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";

interface ReplaceStepsProps {
  /** The steps that were made from an earlier plan. */
  progress: Progress;
  onClose: () => void;
  onKeep: () => void;
  onReplace: () => void;
}

/** Asks before an execution starts again from another plan, whose steps replace the existing ones. */
export function ReplaceSteps({ progress, onClose, onKeep, onReplace }: ReplaceStepsProps) {
  const done = progress.steps.filter(({ status }) => status === "completed").length;
  return (
    <Dialog title="Start over with the steps of this plan?" onClose={onClose}>
      <div className="flex flex-col gap-2.5 px-5 pt-3 text-ink-2 text-note">
        <p>
          The execution has the steps of an earlier plan: {done} of {progress.totalSteps} completed. The steps
          of this plan take their place.
        </p>
        <p>
          What they built stays as it is, in your sandbox and on your servers, and so does the record of what
          you approved.
        </p>
      </div>
      <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
        <Button onClick={onClose}>Cancel</Button>
        <Button onClick={onKeep}>Keep the steps</Button>
        <Button kind="signal" onClick={onReplace}>
          Start the new steps
        </Button>
      </footer>
    </Dialog>
  );
}
