import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ChevronDown, Power } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { projectStateQuery } from "../../api/project-states";
import type { SandboxStatus } from "../../api/sandbox";
import { isChangeable } from "../../changes/torn-down";
import { paths } from "../../lib/paths";
import { containerLabel, containerTone, displayedStatus, powerButton } from "../../sandbox/container";
import { SandboxWarning } from "../../sandbox/sandbox-warning";
import { Button, buttonClass } from "../../ui/button";
import { cx } from "../../ui/class";
import { Dialog } from "../../ui/dialog";
import { Pill } from "../../ui/pill";
import { Problem, Skeleton } from "../../ui/states";
import { SaveFiles } from "./save-files";
import { useSandboxControls } from "./use-sandbox-controls";

interface SandboxHeaderProps {
  projectId: number;
  title: string;
  sandbox: UseQueryResult<SandboxStatus>;
}

/** The project home's header: the sandbox's state and its actions. */
export function SandboxHeader({ projectId, title, sandbox }: SandboxHeaderProps) {
  const controls = useSandboxControls(projectId);
  const state = useQuery(projectStateQuery(projectId));
  const at = useLocation().pathname;
  const atChanges = at.startsWith(paths.home(projectId, "changes"));
  const changeable = state.data !== undefined && isChangeable(state.data) && !atChanges;
  const status = sandbox.data?.container_status;
  const power = powerButton(status, controls.action);
  // In narrow windows, rare actions are behind a button.
  const [open, setOpen] = useState(false);
  return (
    <header className="shrink-0 border-line border-b px-6.5 pt-5 pb-4 max-narrow:px-3.5 max-narrow:pt-3 max-narrow:pb-3 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-center gap-3">
          <h1 className="truncate text-title max-narrow:sr-only">{title}</h1>
          <span role="status">
            {sandbox.isPending ? (
              <Skeleton className="h-5 w-24 rounded-full" />
            ) : (
              <Pill tone={containerTone(status)} live={displayedStatus(status) === "pending"}>
                <span className="sr-only">Sandbox </span>
                {containerLabel(status)}
              </Pill>
            )}
          </span>
        </div>
        <div className="flex items-center gap-2">
          {changeable && (
            <Link to={paths.home(projectId, "changes")} className={buttonClass("signal", "small")}>
              Change something
            </Link>
          )}
          {/* On a phone the link takes a line of its own: most homes have it, so its place is kept until that is known. */}
          {state.isPending && !atChanges && (
            <span aria-hidden className={cx(buttonClass("signal", "small"), "invisible")}>
              Change something
            </span>
          )}
          <Button
            size="small"
            title={
              status === "Running"
                ? "Your files are backed up first, then the sandbox is stopped."
                : undefined
            }
            pending={power.disabled}
            onClick={status === "Running" ? controls.stop : controls.start}
          >
            <Power size={15} aria-hidden /> {power.label}
          </Button>
          <button
            type="button"
            aria-expanded={open}
            aria-label="Files and backup"
            onClick={() => setOpen(!open)}
            className="grid size-8 place-items-center rounded-control text-ink-2 hover:bg-sunken narrow:hidden"
          >
            <ChevronDown size={17} aria-hidden className={cx("transition-transform", open && "rotate-180")} />
          </button>
        </div>
      </div>
      <div className={cx("mt-3", !open && "max-narrow:hidden")}>
        <SaveFiles
          projectId={projectId}
          sandbox={sandbox.data}
          busy={controls.action !== "idle"}
          backingUp={controls.backingUp}
          onBackup={controls.backup}
        />
      </div>
      <SandboxWarning projectId={projectId} className="mt-3" />
      {sandbox.data?.detail && <p className="mt-2 text-ink-2 text-note">{sandbox.data.detail}</p>}
      {sandbox.isError && !sandbox.data && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Problem>Failed to load container status</Problem>
          <Button size="small" onClick={() => void sandbox.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {controls.problem && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Problem>{controls.problem}</Problem>
          {controls.unsaved && status === "Running" && <StopAnyway onStop={controls.stopWithoutBackup} />}
        </div>
      )}
    </header>
  );
}

/** Stops a sandbox that cannot be backed up, after it has said what that loses. */
function StopAnyway({ onStop }: { onStop: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Stop without a backup
      </Button>
      {asking && (
        <Dialog
          title="Stop without a backup?"
          description="What changed in the workspace since its last backup is lost. Servers and what runs on them stay as they are."
          onClose={() => setAsking(false)}
        >
          <footer className="flex justify-end gap-2.5 px-5 py-4">
            <Button data-first onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button kind="danger" onClick={onStop}>
              Stop
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
