import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemText } from "../../api/errors";
import { sandboxKey, startSandbox, stopSandbox, syncSandbox } from "../../api/sandbox";
import { useOnce } from "../../lib/use-once";
import type { SandboxAction } from "../../sandbox/container";

/** Starts, stops and backs up a sandbox, one at a time. A stop needs a backup first, unless the user gives it up. */
export function useSandboxControls(projectId: number) {
  const queries = useQueryClient();
  const [action, setAction] = useState<SandboxAction>("idle");
  const [backingUp, setBackingUp] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [unsaved, setUnsaved] = useState(false);
  const refetch = () => queries.invalidateQueries({ queryKey: sandboxKey(projectId) });

  const stop = async (withBackup: boolean) => {
    setProblem(undefined);
    setUnsaved(false);
    try {
      if (withBackup) {
        setAction("backing_up");
        const failed = await syncFailure(projectId, true);
        if (failed) {
          setProblem(`Failed to sync sandbox data: ${failed}. Please try again.`);
          setUnsaved(true);
          return false;
        }
      }
      setAction("stopping");
      const stopped = await stopSandbox(projectId);
      if (stopped.status === "error") throw new Error(stopped.error ?? stopped.detail);
      await refetch();
      return true;
    } catch (error) {
      console.error("The sandbox could not be stopped", error);
      setProblem("Failed to stop sandbox. Please ensure all your work is saved before stopping.");
      return false;
    } finally {
      setAction("idle");
    }
  };

  const start = async () => {
    setProblem(undefined);
    setUnsaved(false);
    setAction("starting");
    try {
      const started = await startSandbox(projectId);
      if (started.status === "error") throw new Error(started.error ?? started.detail);
      await refetch();
      return true;
    } catch (error) {
      console.error("The sandbox could not be started", error);
      setProblem("Failed to start container");
      return false;
    } finally {
      setAction("idle");
    }
  };

  const backup = async () => {
    setProblem(undefined);
    setUnsaved(false);
    setBackingUp(true);
    const failed = await syncFailure(projectId, false);
    if (failed) setProblem(`Failed to sync sandbox data: ${failed}`);
    await refetch();
    setBackingUp(false);
    return failed === undefined;
  };

  const stopping = useOnce({ mutationFn: (withBackup: boolean) => orThrow(stop(withBackup)) });
  const starting = useOnce({ mutationFn: () => orThrow(start()) });
  const saving = useOnce({ mutationFn: () => orThrow(backup()) });
  return {
    action,
    backingUp,
    problem,
    /** Whether the sandbox goes on because its backup failed. */
    unsaved,
    stop: () => stopping.mutate(true),
    stopWithoutBackup: () => stopping.mutate(false),
    start: () => starting.mutate(),
    backup: () => saving.mutate(),
  };
}

/** Backs the workspace up; returns why it failed, if it did. */
async function syncFailure(projectId: number, beforeStop: boolean): Promise<string | undefined> {
  try {
    const { status, detail, error } = await syncSandbox(projectId, beforeStop);
    return status === "success" ? undefined : (error ?? detail);
  } catch (error) {
    return problemText(error);
  }
}

/** Throws after a control has shown why it failed, so that it can be used again at once. */
async function orThrow(control: Promise<boolean>) {
  if (!(await control)) throw new Error("The control failed, and has shown why");
}
