import { expect, test, vi } from "vitest";
import { ApiError } from "../api/errors";
import {
  ATTEMPT_GAP_MS,
  concernsCredentials,
  MAX_ATTEMPTS,
  type StartSteps,
  startExecution,
} from "./start-execution";

type Initialized = Awaited<ReturnType<StartSteps["initialize"]>>;
const ready: Initialized = { status: "success", detail: "" };
const pending: Initialized = { status: "pending", detail: "Container is still being created" };

/** All parts of a start with a ready sandbox; each test changes the part that it is about. */
function way(changes: Partial<StartSteps> = {}) {
  const said: string[] = [];
  const steps = {
    readStatus: vi.fn(async () => ({ status: "READY" as const })),
    initialize: vi.fn(async () => ready),
    trigger: vi.fn(async () => undefined),
    complete: vi.fn(async () => undefined),
    found: (text: string) => void said.push(text),
    say: (text: string) => void said.push(text),
    wait: vi.fn(async () => undefined),
    ...changes,
  };
  return { steps, said };
}

test("a ready sandbox is initialized once, then the execution starts and the stage is completed", async () => {
  const { steps, said } = way();
  await startExecution(steps);
  expect(said).toEqual([
    "Container is ready, initializing sandbox...",
    "Initializing sandbox environment (Attempt 1)...",
  ]);
  expect(steps.trigger).toHaveBeenCalledOnce();
  expect(steps.complete).toHaveBeenCalledOnce();
});

test("a container that is still being created is waited for, ten seconds at a time", async () => {
  const initialize = vi
    .fn<StartSteps["initialize"]>()
    .mockResolvedValueOnce(pending)
    .mockRejectedValueOnce(new Error("status CREATING"))
    .mockResolvedValueOnce(ready);
  const { steps, said } = way({ initialize, readStatus: async () => ({ status: "CREATING" }) });
  await startExecution(steps);
  expect(said).toEqual([
    "Container is being created, please wait...",
    "Initializing sandbox environment (Attempt 1)...",
    "Waiting for container to be ready...",
    "Initializing sandbox environment (Attempt 2)...",
    "Waiting for container to be ready...",
    "Initializing sandbox environment (Attempt 3)...",
  ]);
  expect(steps.wait).toHaveBeenCalledWith(ATTEMPT_GAP_MS);
});

test("the start times out after thirty attempts", async () => {
  const initialize = vi.fn(async () => pending);
  const { steps } = way({ initialize });
  await expect(startExecution(steps)).rejects.toThrow("Timeout waiting for sandbox initialization");
  expect(initialize).toHaveBeenCalledTimes(MAX_ATTEMPTS);
  expect(steps.complete).not.toHaveBeenCalled();
});

test("a failed container is not initialized at all", async () => {
  const { steps } = way({ readStatus: async () => ({ status: "FAILED" }) });
  await expect(startExecution(steps)).rejects.toThrow(
    "Container creation failed. Please try again or contact support.",
  );
  expect(steps.initialize).not.toHaveBeenCalled();
});

test("a missing key gives an error that says where to provide keys", async () => {
  const { steps } = way({ initialize: async () => ({ status: "failed", detail: "No API key for hcloud" }) });
  await expect(startExecution(steps)).rejects.toThrow(
    "You need to provide cloud provider credentials during the requirements gathering phase before proceeding.",
  );
  expect(concernsCredentials("No API key")).toBe(true);
  expect(concernsCredentials("Missing credentials")).toBe(true);
  expect(concernsCredentials("Disk full")).toBe(false);
});

test("other failures show their detail, or a default", async () => {
  const failing = (detail: string) => way({ initialize: async () => ({ status: "failed", detail }) }).steps;
  await expect(startExecution(failing("Disk full"))).rejects.toThrow("Disk full");
  await expect(startExecution(failing(""))).rejects.toThrow("Failed to initialize sandbox environment");
});

test("a plan that was rewritten since it was read is not started", async () => {
  const body = { code: "stale_plan", detail: "The plan was rewritten." };
  const stale = new ApiError(new Response(null, { status: 409 }), body);
  const { steps } = way({ trigger: async () => Promise.reject(stale) });
  await expect(startExecution(steps)).rejects.toThrow("The plan was rewritten.");
  expect(steps.complete).not.toHaveBeenCalled();
});

test("a failed trigger is logged and stops nothing", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { steps } = way({ trigger: async () => Promise.reject(new Error("503")) });
  await startExecution(steps);
  expect(steps.complete).toHaveBeenCalledOnce();
  expect(log).toHaveBeenCalled();
  log.mockRestore();
});
