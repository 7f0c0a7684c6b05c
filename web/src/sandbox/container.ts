/** Words and allowed actions for the states of a sandbox's container. */
import type { Schemas } from "../api/client";
import { entryOf } from "../lib/table";
import type { Tone } from "../ui/pill";

export type ContainerStatus = Schemas["ContainerStatus"];

type Displayed = "running" | "stopped" | "pending" | "unknown";

const STATUSES: Record<ContainerStatus, { label: string; displayed: Displayed }> = {
  Running: { label: "Running", displayed: "running" },
  NotRunning: { label: "Not Running", displayed: "stopped" },
  Stopped: { label: "Stopped", displayed: "stopped" },
  Terminated: { label: "Terminated", displayed: "stopped" },
  Pending: { label: "Pending", displayed: "pending" },
  Waiting: { label: "Waiting", displayed: "pending" },
};

const TONES: Record<Displayed, Tone> = { running: "ok", stopped: "idle", pending: "run", unknown: "idle" };

/** An unknown or missing status counts as unknown. */
const entry = (status: ContainerStatus | undefined) => entryOf(STATUSES, status);

export const displayedStatus = (status: ContainerStatus | undefined): Displayed =>
  entry(status)?.displayed ?? "unknown";
export const containerLabel = (status: ContainerStatus | undefined): string =>
  entry(status)?.label ?? "Unknown";
export const containerTone = (status: ContainerStatus | undefined): Tone => TONES[displayedStatus(status)];

export type SandboxAction = "idle" | "backing_up" | "stopping" | "starting";

const ACTION_LABELS: Record<Exclude<SandboxAction, "idle">, string> = {
  backing_up: "Backing up sandbox...",
  stopping: "Stopping sandbox...",
  starting: "Starting sandbox...",
};

/** The start and stop button: its label, and whether it is enabled. */
export function powerButton(
  status: ContainerStatus | undefined,
  action: SandboxAction,
): { label: string; disabled: boolean } {
  if (action !== "idle") return { label: ACTION_LABELS[action], disabled: true };
  return {
    label: status === "Running" ? "Stop Sandbox" : "Start Sandbox",
    disabled: status !== "Running" && status !== "NotRunning",
  };
}
