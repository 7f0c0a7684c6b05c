import { queryOptions } from "@tanstack/react-query";
import { sortedSteps } from "../execution/rules";
import { api, body, done, type Schemas, text } from "./client";

export type Step = Schemas["StepBody"];
export type StepStatus = Step["status"];
export type Progress = Schemas["Progress"];
export type Approval = Schemas["StepDecision"];

/** How often the execution's progress is read again, in milliseconds. */
const PROGRESS_POLL_MS = 5_000;

/** How often the output of a running step is read while somebody looks at it, in milliseconds. */
const LIVE_OUTPUT_POLL_MS = 1_000;

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
    refetchInterval: PROGRESS_POLL_MS,
    refetchIntervalInBackground: watched,
  });

export class NoStepsData extends Error {
  override message = "No steps data available";
}

/**
 * The whole output of a step, which the list may have shortened. It also tells where the step stands: when that is no
 * longer what the list shows, the list is read again at once instead of at its next turn.
 */
export const outputQuery = (projectId: number, step: Pick<Step, "step_number" | "attempt">, live: boolean) =>
  queryOptions({
    queryKey: ["execution", projectId, "output", step.step_number, step.attempt],
    queryFn: async ({ client }) => {
      const { text: output, headers } = await text(
        api.GET("/execution/output/{step_number}", {
          params: { path: { step_number: step.step_number } },
          parseAs: "text",
        }),
      );
      const status = headers.get("Step-Status");
      const list = client.getQueryData<Progress>(progressKey(projectId));
      const shown = list?.steps.find((known) => known.step_number === step.step_number);
      if (status && shown && status !== shown.status) {
        void client.invalidateQueries({ queryKey: progressKey(projectId) });
      }
      return output;
    },
    refetchInterval: live ? LIVE_OUTPUT_POLL_MS : false,
    retry: false,
  });

export const triggerExecution = () =>
  done(api.POST("/execution/trigger", { body: { message: "Start execution" } }));

export const approveStep = (approval: Approval) =>
  body(api.POST("/execution/approve-step", { body: approval }));

export const cancelStep = (planId: string, stepNumber: number) =>
  body(api.POST("/execution/cancel-step", { body: { plan_id: planId, step_number: stepNumber } }));
