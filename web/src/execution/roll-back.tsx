import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemText } from "../api/errors";
import { type Progress, progressKey, rollBack } from "../api/execution";
import { projectStateQuery } from "../api/project-states";
import { useAbandon } from "../changes/use-abandon";
import { shortDigest } from "../lib/text";
import { useOnce } from "../lib/use-once";
import { CheckedByMachines } from "../review/machines";
import { Button } from "../ui/button";
import { Code } from "../ui/code";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";

type Rollback = NonNullable<Progress["rollback"]>;

interface Props {
  projectId: number;
  progress: Progress;
}

/** The rollback of the current change: offered when a step fails and whenever the owner asks for it. */
export function RollBack({ projectId, progress }: Props) {
  const state = useQuery(projectStateQuery(projectId)).data;
  const done = state?.stages.every((stage) => stage.is_completed) ?? true;
  const { rollback } = progress;
  if (!rollback || !state?.change || done) return null;
  const failed = progress.steps.some((step) => step.status === "failed");
  const { number } = state.change;
  return (
    <section
      aria-label="Rollback"
      className={`flex shrink-0 flex-col gap-2 border-line border-b px-4.5 py-2.5 text-note ${failed ? "bg-signal-veil" : ""}`}
    >
      {rollback.run?.status === "completed" ? (
        <RolledBack projectId={projectId} number={number} />
      ) : rollback.run?.status === "in_progress" ? (
        <Running run={rollback.run} />
      ) : (
        <Offer
          projectId={projectId}
          planId={progress.id}
          number={number}
          rollback={rollback}
          failed={failed}
        />
      )}
    </section>
  );
}

interface OfferProps {
  projectId: number;
  planId: string;
  number: number;
  rollback: Rollback;
  failed: boolean;
}

function Offer({ projectId, planId, number, rollback, failed }: OfferProps) {
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const { script, sha256, verdict } = rollback.rollback;
  const start = useOnce({
    mutationFn: () =>
      rollBack({ plan_id: planId, step_number: rollback.step_number, rollback_sha256: sha256 }),
    onSuccess: () => setAsked(false),
    onSettled: () => queries.invalidateQueries({ queryKey: progressKey(projectId) }),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <p className="min-w-0">
        {rollback.run?.status === "failed"
          ? `The rollback failed: ${rollback.run.error_message ?? "the script did not succeed."}`
          : failed
            ? "A step failed. You can fix it and continue, or roll the change back."
            : "You can still roll this change back."}
      </p>
      <Button
        size="small"
        onClick={() => {
          start.reset();
          setAsked(true);
        }}
      >
        Roll back
      </Button>
      {asked && (
        <Dialog wide title={`Roll change ${number} back?`} onClose={() => setAsked(false)}>
          <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-5 pt-3 text-note">
            <p className="text-ink-2">
              This script was prepared with the change and shown beside step {rollback.step_number}. It
              restores what existed before. No other step of the change runs after it.
            </p>
            <CheckedByMachines step={{ command_sha256: sha256, ...(verdict ? { verdict } : {}) }} />
            <Code label="Rollback script" text={script} />
            {start.isError && <Problem>{problemText(start.error)}</Problem>}
          </div>
          <footer className="flex flex-wrap items-center justify-end gap-2.5 px-5 py-4">
            <span className="mr-auto font-mono text-ink-2 text-tiny">sha256 {shortDigest(sha256)}</span>
            <Button onClick={() => setAsked(false)}>Keep the change</Button>
            <Button kind="danger" pending={start.isPending} onClick={() => start.mutate()}>
              {start.isPending ? "Starting..." : "Approve and run"}
            </Button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}

/** The bar below the steps shows its time, and ends it. */
function Running({ run }: { run: NonNullable<Rollback["run"]> }) {
  return (
    <>
      <p role="status">The change is being rolled back.</p>
      {run.output && <Code label="Output of the rollback" text={run.output} />}
    </>
  );
}

function RolledBack({ projectId, number }: { projectId: number; number: number }) {
  const end = useAbandon(projectId, number);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <p role="status">The change is rolled back: what existed before it is restored.</p>
      <Button kind="signal" size="small" pending={end.isPending} onClick={() => end.mutate()}>
        {end.isPending ? "Ending..." : "End this change"}
      </Button>
      {end.isError && <Problem>{problemText(end.error)}</Problem>}
    </div>
  );
}
