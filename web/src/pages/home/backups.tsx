import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, History } from "lucide-react";
import { useState } from "react";
import { problemText } from "../../api/errors";
import { type Backup, backupsQuery, restoreBackup, sandboxKey, sandboxQuery } from "../../api/sandbox";
import { filesKey } from "../../files/use-files";
import { size } from "../../lib/bytes";
import { useNow } from "../../lib/now";
import { backupAge, dayAndTime, daysAndTimes } from "../../lib/time";
import { useOnce } from "../../lib/use-once";
import { useProjectRoute } from "../../project/route";
import { displayedStatus } from "../../sandbox/container";
import { Button } from "../../ui/button";
import { Card, CardHeader } from "../../ui/card";
import { Dialog } from "../../ui/dialog";
import { KeptScroll } from "../../ui/kept-scroll";
import { Empty, Failure, Problem, Skeleton } from "../../ui/states";

/** Words for the reason of each backup. */
const REASONS: Record<Backup["reason"], string> = {
  step: "After a step",
  check: "After a check",
  command: "After a command",
  manual: "By hand",
  stop: "Before stopping",
  idle: "Before stopping an idle sandbox",
  download: "For a download",
  restore: "Before a restore",
  import: "From a repository",
};

/** Why a backup was made, and after which step, check or command. */
const reasonOf = ({ reason, step_number }: Backup) =>
  step_number !== null && step_number !== undefined
    ? `After ${reason} ${step_number}`
    : (REASONS[reason] ?? "Backup");

/** Earlier versions of the workspace, each of which can be restored. */
export function Component() {
  const { projectId } = useProjectRoute();
  const queries = useQueryClient();
  const backups = useQuery(backupsQuery(projectId));
  const sandbox = useQuery(sandboxQuery(projectId));
  const [asked, setAsked] = useState<Backup>();
  const restore = useOnce({
    mutationFn: (backup: Backup) => restoreBackup(projectId, backup.id),
    onMutate: () => setAsked(undefined),
    onError: (error) => console.error("The backup could not be restored", error),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: sandboxKey(projectId) });
      void queries.invalidateQueries({ queryKey: filesKey(projectId) });
    },
  });
  const times = daysAndTimes(backups.data?.map(({ at }) => at) ?? []);
  const running = displayedStatus(sandbox.data?.container_status) === "running";
  return (
    <Card label="Backups" className="flex-1">
      <CardHeader title="Backups">
        <span role="status" className="flex min-w-0 items-center gap-1.5 text-note">
          {restore.isPending && <span className="animate-breathe text-ink-2">Restoring...</span>}
          {restore.isSuccess && (
            <span className="flex items-center gap-1.5 text-ok">
              <CircleCheck size={15} aria-hidden className="shrink-0" /> Restored:{" "}
              {dayAndTime(restore.variables.at)}
            </span>
          )}
        </span>
      </CardHeader>
      {restore.isError && (
        <div className="border-line border-b px-4.5 py-3">
          <Problem>The backup could not be restored. {problemText(restore.error)}</Problem>
        </div>
      )}
      {backups.isPending && <ListSkeleton />}
      {backups.isError && !backups.data && (
        <Failure
          title="The backups could not be listed"
          error={backups.error}
          retry={() => void backups.refetch()}
        />
      )}
      {backups.data?.length === 0 && (
        <Empty title="No backups yet">
          The workspace is backed up after each step, before the sandbox stops, and whenever you ask for it.
        </Empty>
      )}
      {backups.data && backups.data.length > 0 && (
        <KeptScroll
          label="Backups"
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
        >
          {!running && (
            <p className="border-line border-b px-4.5 py-2.5 text-ink-2 text-note">
              Restoring needs a running sandbox. Starting it restores its last state.
            </p>
          )}
          <ul>
            {backups.data.map((backup, index) => (
              <Line
                key={backup.id}
                backup={backup}
                at={times[index] ?? ""}
                newest={index === 0}
                disabled={!running}
                pending={restore.isPending}
                busy={restore.isPending && restore.variables.id === backup.id}
                onRestore={() => setAsked(backup)}
              />
            ))}
          </ul>
        </KeptScroll>
      )}
      {asked && (
        <Confirm backup={asked} onClose={() => setAsked(undefined)} onConfirm={() => restore.mutate(asked)} />
      )}
    </Card>
  );
}

interface LineProps {
  backup: Backup;
  /** When it was made, in words that tell it apart from the others. */
  at: string;
  newest: boolean;
  disabled: boolean;
  pending: boolean;
  busy: boolean;
  onRestore: () => void;
}

function Line({ backup, at, newest, disabled, pending, busy, onRestore }: LineProps) {
  const now = useNow();
  return (
    <li className="flex min-h-14 items-center gap-4 border-line border-b px-4.5 py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="font-[550]">
          <time dateTime={backup.at} className="whitespace-nowrap">
            {at}
          </time>{" "}
          <span className="ml-1 whitespace-nowrap font-normal text-ink-3 text-small">
            {newest && "newest"}
            <span className="narrow:hidden">
              {newest && " · "}
              {size(backup.bytes)}
            </span>
          </span>
        </p>
        <p className="text-ink-2 text-note">
          {reasonOf(backup)} · {backupAge(backup.at, now)}
        </p>
      </div>
      <span className="shrink-0 text-ink-2 text-note tabular-nums max-narrow:hidden">
        {size(backup.bytes)}
      </span>
      <Button
        size="small"
        aria-label={`${busy ? "Restoring..." : "Restore"} the backup of ${at}`}
        disabled={disabled}
        pending={pending}
        onClick={onRestore}
      >
        <History size={15} aria-hidden className="max-narrow:hidden" /> {busy ? "Restoring..." : "Restore"}
      </Button>
    </li>
  );
}

interface ConfirmProps {
  backup: Backup;
  onClose: () => void;
  onConfirm: () => void;
}

/** Explains what restoring does before it starts. */
function Confirm({ backup, onClose, onConfirm }: ConfirmProps) {
  return (
    <Dialog
      title="Restore this backup?"
      description={`The workspace becomes what it was on ${dayAndTime(backup.at)}.`}
      onClose={onClose}
    >
      <ul className="list-disc px-5 pt-3 pl-10 text-ink-2 text-note">
        <li>What is in the workspace now is backed up first, so you can come back to it.</li>
        <li>Newer files are removed; changed or deleted ones are restored.</li>
        <li>Servers and what runs on them stay as they are, and so do programs running in the sandbox.</li>
      </ul>
      <footer className="flex justify-end gap-2.5 px-5 py-4">
        <Button data-first onClick={onClose}>
          Cancel
        </Button>
        <Button kind="danger" onClick={onConfirm}>
          Restore
        </Button>
      </footer>
    </Dialog>
  );
}

function ListSkeleton() {
  return (
    <div role="status" className="flex flex-col">
      <span className="sr-only">Loading backups...</span>
      {["w-1/3", "w-2/5", "w-1/4"].map((width) => (
        <div key={width} className="flex h-14 items-center border-line border-b px-4.5">
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
    </div>
  );
}
