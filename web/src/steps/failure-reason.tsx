import type { Step } from "../api/execution";
import { plainOutput } from "../lib/ansi";
import { questionIn } from "../lib/question";
import { lastLines } from "../lib/text";
import { Code } from "../ui/code";
import { SecretText } from "../ui/secret-text";
import { TitledPart } from "./titled-part";

/** How many lines of a failed step's output appear with its error. */
const LAST_LINES = 8;

/** Why a step has failed. A rejection is a decision of its owner, and a question waits for one: neither is an error. */
export function FailureReason({ step }: { step: Step }) {
  if (step.status !== "failed" || !step.error_message) return null;
  if (step.failure === "rejected") return <Rejected reason={step.reason} />;
  const question = questionIn(step.error_message);
  if (question !== undefined) return <Asked question={question} />;
  return (
    <TitledPart title="Error">
      <p className="whitespace-pre-wrap break-words font-mono text-bad text-small">{step.error_message}</p>
      <LastLines step={step} />
    </TitledPart>
  );
}

function Asked({ question }: { question: string }) {
  return (
    <TitledPart title="The agent asks you">
      <p className="whitespace-pre-wrap break-words font-[560]">
        <SecretText text={question} />
      </p>
      <p className="mt-1 text-ink-2 text-note">
        Answer in the chat, then re-execute the step: the agent reads your answer before it writes the
        command.
      </p>
    </TitledPart>
  );
}

function Rejected({ reason }: { reason: string | null }) {
  return (
    <div className="flex flex-col gap-1 text-note">
      <p>
        This command was rejected and did not run. Re-execute prepares the step again, without running the
        rejected command.
      </p>
      {reason && (
        <p>
          You wrote: “<SecretText text={reason} />
          ”. The agent reads it when you re-execute the step.
        </p>
      )}
    </div>
  );
}

/** The end of a failed step's output, which usually contains the reason. */
function LastLines({ step }: { step: Step }) {
  const last = lastLines(plainOutput(step.output), LAST_LINES);
  if (last === "") return null;
  return (
    <div className="mt-2">
      <p className="label mb-1">Last lines of the output</p>
      <Code label={`Last lines of step ${step.step_number}`} text={last} />
    </div>
  );
}
