import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import { unlessAnnounced } from "../lib/announcements";
import { api, body, done, type Schemas, text } from "./client";
import { outputOf } from "./output";

export type Step = Schemas["StepBody"];
export type StepStatus = Step["status"];
export type Progress = Schemas["Progress"];
export type Approval = Schemas["StepDecision"];
export type StepName = Schemas["StepName"];
export type StepEdit = Schemas["StepEdit"];
export type Autonomy = Schemas["Autonomy"];
export type AutonomyRequest = Schemas["AutonomyRequest"];

/** Every status of the contract; the compiler names this list when the contract has a new one. */
const STATUSES: Record<StepStatus, true> = {
  pending: true,
  in_progress: true,
  waiting_approval: true,
  completed: true,
  failed: true,
};

const isStepStatus = (text: string): text is StepStatus => Object.hasOwn(STATUSES, text);

/** The status that a text names, if it names one. */
export const statusNamed = (text: string | null | undefined): StepStatus | undefined =>
  text && isStepStatus(text) ? text : undefined;

/** How often the execution's progress is read again, in milliseconds. */
const PROGRESS_POLL_MS = 5_000;

export const progressKey = (projectId: number) => ["execution", projectId, "progress"];

/** The execution's steps in order. `watched` keeps polling in a background tab, for the automatic approvals. */
export const progressQuery = (projectId: number, watched = false) =>
  queryOptions({
    queryKey: progressKey(projectId),
    queryFn: async (): Promise<Progress> => {
      const progress = await body(api.GET("/execution/progress"));
      if (!Array.isArray(progress.steps)) throw new NoStepsData();
      return { ...progress, steps: sortedSteps(progress.steps) };
    },
    refetchInterval: unlessAnnounced(PROGRESS_POLL_MS),
    refetchIntervalInBackground: watched,
  });

/** The defaults for missing fields of a step. */
const BLANK = {
  description: "",
  prompt: "",
  output: "",
  output_bytes: 0,
  output_truncated: false,
  attempt: 0,
};

/** The steps by number; a step without a number counts by its position, and missing ones are empty. */
export function sortedSteps(steps: readonly Step[]): Step[] {
  const given = (step: Step) => Object.fromEntries(Object.entries(step).filter(([, value]) => value != null));
  return steps
    .map((step, index) => ({
      ...step,
      ...BLANK,
      ...given(step),
      step_number: step.step_number ?? index + 1,
      status: step.status ?? "pending",
    }))
    .sort((a, b) => a.step_number - b.step_number);
}

export class NoStepsData extends Error {
  override message = "No steps data available";
}

/** A step's state in the list that was read before. */
export const listedStep = (client: QueryClient, listKey: QueryKey, step: Pick<Step, "step_number">) =>
  client.getQueryData<Progress>(listKey)?.steps.find((known) => known.step_number === step.step_number)
    ?.status;

/** The whole output of a step. */
export const outputQuery = (projectId: number, step: Pick<Step, "step_number" | "attempt">, live: boolean) =>
  outputOf({
    queryKey: ["execution", projectId, "output", step.step_number, step.attempt],
    read: () =>
      text(
        api.GET("/execution/output/{step_number}", {
          params: { path: { step_number: step.step_number } },
          parseAs: "text",
        }),
      ),
    listKey: progressKey(projectId),
    listed: (client) => listedStep(client, progressKey(projectId), step),
    live,
  });

/** Starts the execution of the plan that was shown. */
export const triggerExecution = (planId: string | undefined) =>
  done(api.POST("/execution/trigger", { body: { message: "Start execution", plan_id: planId ?? null } }));

export const approveStep = (approval: Approval) =>
  body(api.POST("/execution/approve-step", { body: approval }));

/** Runs the rollback that was shown with a step; it rolls the whole change back. */
export const rollBack = (shown: { plan_id: string; step_number: number; rollback_sha256: string }) =>
  body(api.POST("/execution/approve-step", { body: { ...shown, approved: true, roll_back: true } }));

export const editStep = (edit: StepEdit) => body(api.POST("/execution/edit-step", { body: edit }));

/** Sets what the owner is asked about while the steps of a plan run. */
export const setAutonomy = (request: AutonomyRequest) =>
  done(api.POST("/execution/autonomy", { body: request }));

export const cancelStep = (name: StepName) => body(api.POST("/execution/cancel-step", { body: name }));
