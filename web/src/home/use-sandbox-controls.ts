import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemText } from "../api/errors";
import { sandboxKey, startSandbox, stopSandbox, syncSandbox } from "../api/sandbox";
import type { SandboxAction } from "../sandbox/container";

/** Starts, stops (after a backup) and backs up a sandbox, one at a time. */
export function useSandboxControls(projectId: number) {
  const queries = useQueryClient();
  const [action, setAction] = useState<SandboxAction>("idle");
  const [backingUp, setBackingUp] = useState(false);
  const [problem, setProblem] = useState<string>();
  const refetch = () => queries.invalidateQueries({ queryKey: sandboxKey(projectId) });

  const stop = async () => {
    setProblem(undefined);
    setAction("backing_up");
    try {
      const failed = await syncFailure(projectId, true);
      if (failed) {
        setProblem(`Failed to sync sandbox data: ${failed}. Please try again.`);
        return;
      }
      setAction("stopping");
      const stopped = await stopSandbox(projectId);
      if (stopped.status === "error") throw new Error(stopped.error ?? stopped.detail);
      await refetch();
    } catch (error) {
      console.error("The sandbox could not be stopped", error);
      setProblem("Failed to stop sandbox. Please ensure all your work is saved before stopping.");
    } finally {
      setAction("idle");
    }
  };

  const start = async () => {
    setProblem(undefined);
    setAction("starting");
    try {
      const started = await startSandbox(projectId);
      if (started.status === "error") throw new Error(started.error ?? started.detail);
      await refetch();
    } catch (error) {
      console.error("The sandbox could not be started", error);
      setProblem("Failed to start container");
    } finally {
      setAction("idle");
    }
  };

  const backup = async () => {
    setProblem(undefined);
    setBackingUp(true);
    const failed = await syncFailure(projectId, false);
    if (failed) setProblem(`Failed to sync sandbox data: ${failed}`);
    await refetch();
    setBackingUp(false);
  };

  return {
    action,
    backingUp,
    problem,
    stop: () => void stop(),
    start: () => void start(),
    backup: () => void backup(),
  };
}

/** Backs the workspace up; returns why it failed, if it did. */
async function syncFailure(projectId: number, beforeStop: boolean): Promise<string | undefined> {
  try {
    const { status, detail, error } = await syncSandbox(projectId, beforeStop);
    return error ?? (status === "error" ? detail : undefined);
  } catch (error) {
    return problemText(error);
  }
}
