import { expect, test } from "vitest";
import { type ContainerStatus, containerLabel, displayedStatus, powerButton } from "./container";

test.each([
  ["Running", "running", "Running"],
  ["NotRunning", "stopped", "Not Running"],
  ["Stopped", "stopped", "Stopped"],
  ["Terminated", "stopped", "Terminated"],
  ["Pending", "pending", "Pending"],
  ["Waiting", "pending", "Waiting"],
  ["Exploded", "unknown", "Unknown"],
  [undefined, "unknown", "Unknown"],
] as const)("%s is %s and called %s", (given, displayed, label) => {
  // A newer server may have statuses that this page does not know.
  const status = given as ContainerStatus | undefined;
  expect(displayedStatus(status)).toBe(displayed);
  expect(containerLabel(status)).toBe(label);
});

test("the button starts a stopped sandbox and stops a running one, and does nothing else", () => {
  expect(powerButton("Running", "idle")).toEqual({ label: "Stop Sandbox", disabled: false });
  expect(powerButton("NotRunning", "idle")).toEqual({ label: "Start Sandbox", disabled: false });
  expect(powerButton("Stopped", "idle").disabled).toBe(true);
  expect(powerButton(undefined, "idle")).toEqual({ label: "Start Sandbox", disabled: true });
});

test("the button shows what is in progress", () => {
  expect(powerButton("Running", "backing_up").label).toBe("Backing up sandbox...");
  expect(powerButton("Running", "stopping").label).toBe("Stopping sandbox...");
  expect(powerButton("NotRunning", "starting")).toEqual({ label: "Starting sandbox...", disabled: true });
});
