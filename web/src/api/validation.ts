import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { unlessAnnounced } from "../lib/announcements";
import { unquoted } from "../lib/text";
import { api, body, done, type Schemas, text } from "./client";
import {
  type Approval,
  type AutonomyRequest,
  listedStep,
  NoStepsData,
  type Progress,
  type Step,
  type StepEdit,
  sortedSteps,
} from "./execution";
import { outputOf } from "./output";
import { untilReplied } from "./stream";

/** How often the validation's plan and checks are read again, in milliseconds. */
const VALIDATION_POLL_MS = 3_000;

export const VALIDATION_CHAT = "/validation/agent";

export const checksKey = (projectId: number) => ["validation", projectId, "progress"];
export const validationPlanKey = (projectId: number) => ["validation", projectId, "plan"];

export type ValidationPlan = Pick<Schemas["ValidationPlan"], "plan" | "report">;

/** The answer did not contain a plan. */
export class InvalidPlan extends Error {
  override message = "Failed to fetch validation plan: Invalid response format";
}

/** The plan of the checks, and the validator's report; each is empty until it exists. */
export const validationPlanQuery = (projectId: number) =>
  queryOptions({
    queryKey: validationPlanKey(projectId),
    queryFn: async (): Promise<ValidationPlan> => {
      const answer = await body(api.GET("/validation/plan"));
      if (answer.status !== "success" || typeof answer.plan !== "string") throw new InvalidPlan();
      return { plan: unquoted(answer.plan), report: unquoted(answer.report ?? "") };
    },
    refetchInterval: unlessAnnounced(VALIDATION_POLL_MS),
  });

export type Coverage = Schemas["RequirementCoverage"];
export type Proved = Schemas["ProvedRequirements"];

/** The proof of each requirement, and the checks that no longer prove anything; read again whenever `stamp` changes. */
export const provedQuery = (projectId: number, stamp: string | undefined) =>
  queryOptions({
    queryKey: ["validation", projectId, "requirements", stamp],
    queryFn: (): Promise<Proved> => body(api.GET("/validation/requirements")),
    placeholderData: keepPreviousData,
  });

/** The checks in order, in the form of steps. `watched` keeps polling in a background tab. */
export const checksQuery = (projectId: number, watched = false) =>
  queryOptions({
    queryKey: checksKey(projectId),
    queryFn: async (): Promise<Progress> => {
      const progress = await body(api.GET("/validation/progress"));
      if (!Array.isArray(progress.steps)) throw new NoStepsData();
      return { ...progress, steps: sortedSteps(progress.steps.map(asStep)) };
    },
    refetchInterval: unlessAnnounced(VALIDATION_POLL_MS),
    refetchIntervalInBackground: watched,
  });

/** A check with a step's field names. */
function asStep({ number, error, ...step }: Schemas["CheckBody"]): Step {
  return { ...step, step_number: step.step_number ?? number, error_message: step.error_message ?? error };
}

/** Sets what the owner is asked about while the checks of a plan run. */
export const setCheckAutonomy = (request: AutonomyRequest) =>
  done(api.POST("/validation/autonomy", { body: request }));

export const editCheck = async (edit: StepEdit) =>
  asStep(await body(api.POST("/validation/edit-step", { body: edit })));

export const approveCheck = async (approval: Approval) =>
  asStep(await body(api.POST("/validation/approve-step", { body: approval })));

export const cancelCheck = async (name: Schemas["StepName"]) =>
  asStep(await body(api.POST("/validation/cancel-step", { body: name })));

/** The whole output of a check. */
export const checkOutputQuery = (
  projectId: number,
  check: Pick<Step, "step_number" | "attempt">,
  live: boolean,
) =>
  outputOf({
    queryKey: ["validation", projectId, "output", check.step_number, check.attempt],
    read: () =>
      text(
        api.GET("/validation/output/{step_number}", {
          params: { path: { step_number: check.step_number } },
          parseAs: "text",
        }),
      ),
    listKey: checksKey(projectId),
    listed: (client) => listedStep(client, checksKey(projectId), check),
    live,
  });

/** Starts the checks of the plan, or prepares failed ones again: the attempts in `failed`, if given. */
export const triggerValidation = (failed?: readonly Step[]) =>
  body(
    api.POST("/validation/trigger", {
      body: {
        message: "Start validation",
        ...(failed && { failed: failed.map(({ step_number, attempt }) => ({ step_number, attempt })) }),
      },
    }),
  );

/** Runs passed checks again, unchanged. */
export const runChecksAgain = (passed: Proved["outdated"]) =>
  body(api.POST("/validation/trigger", { body: { message: "Run again", passed } }));

/** Asks the validator for a plan and waits for the end of its reply. */
export const requestValidationPlan = (signal: AbortSignal): Promise<void> =>
  untilReplied(VALIDATION_CHAT, "Generate validation plan", signal);
