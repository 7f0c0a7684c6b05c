import { useQueryClient } from "@tanstack/react-query";
import { Server, SquareTerminal } from "lucide-react";
import { useId, useState } from "react";
import { cancelCommand, commandOutputQuery, decideCommand, openCommandsKey } from "../api/devops-helper";
import { isRefusal, problemText } from "../api/errors";
import { plainOutput } from "../lib/ansi";
import { useStickToEnd } from "../lib/stick";
import { firstLines, shortDigest } from "../lib/text";
import { useOnce } from "../lib/use-once";
import { useProjectRoute } from "../project/route";
import { CheckedByMachines } from "../review/machines";
import { FullOutput } from "../steps/full-output";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { Code } from "../ui/code";
import { Pill } from "../ui/pill";
import { Scroll } from "../ui/scroll";
import { Problem } from "../ui/states";
import { statusTone, statusWord } from "../ui/step-status";
import { type ChatCommand, OUTPUT_CHARS } from "./turn";

const TARGETS = {
  sandbox: { label: "In the sandbox", Icon: SquareTerminal },
  server: { label: "On your server", Icon: Server },
};

/** How many lines of an output the card shows; a dialog shows the rest. */
const GLANCE_LINES = 5;

/** The calls about a command, and the state that follows from their answers until the stream reports it. */
function useCommand(projectId: number, { number, sha256, status: reported, attempt, ended }: ChatCommand) {
  const queries = useQueryClient();
  const reread = () => queries.invalidateQueries({ queryKey: openCommandsKey(projectId) });
  const decide = useOnce({
    mutationFn: (approved: boolean) => decideCommand({ number, approved, command_sha256: sha256, attempt }),
    onError: (error) => console.error(`Command ${number} could not be decided`, error),
    onSettled: reread,
  });
  const cancel = useOnce({
    // An approval begins the next attempt.
    mutationFn: () => cancelCommand({ number, attempt: decide.data?.attempt ?? attempt }),
    onError: (error) => console.error(`Command ${number} could not be canceled`, error),
    onSettled: reread,
  });
  // The stream reports its progress; until then the call's own answer does.
  const status = (reported === "waiting_approval" ? decide.data?.status : undefined) ?? reported;
  return {
    decide,
    cancel,
    status,
    waiting: status === "waiting_approval",
    running: status === "in_progress" && !ended,
    // Only the call that rejected it tells a rejection from a failure.
    rejected: status === "failed" && decide.isSuccess && !decide.variables,
  };
}

type CommandState = ReturnType<typeof useCommand>;

/** A command inside the agent's reply: where it runs, the whole script, the decision, and its output. */
export function CommandCard({ command }: { command: ChatCommand }) {
  const { projectId } = useProjectRoute();
  const { number, script, sha256, exitCode } = command;
  const [full, setFull] = useState(false);
  const state = useCommand(projectId, command);
  const { waiting, running, decide, cancel } = state;
  const id = useId();
  const output = plainOutput(command.output);
  const shortened = command.output.length >= OUTPUT_CHARS;
  return (
    <section
      aria-labelledby={id}
      className={cx(
        "my-2.5 max-w-[46rem] animate-appear overflow-hidden rounded-box border",
        waiting ? "border-signal bg-signal-veil" : "border-line bg-surface",
      )}
    >
      <Title id={id} command={command} state={state} />
      <div className="flex flex-col gap-2.5 px-3.5 pt-2 pb-3">
        <Code label={`Script of command ${number}`} text={script} short={!waiting} />
        {waiting && <CheckedByMachines step={{ verdict: command.verdict, command_sha256: sha256 }} />}
        {(output !== "" || running) && <Output number={number} text={output} />}
        {decide.isError && <Problem>{decisionProblem(decide.error)}</Problem>}
        {cancel.isError && <Problem>{problemText(cancel.error)}</Problem>}
        <div className="flex flex-wrap items-center gap-2.5">
          {waiting && command.needs_approval && <DecisionButtons {...state} />}
          {running && <CancelButton {...state} />}
          {(shortened || firstLines(output, GLANCE_LINES).more) && (
            <Button size="small" onClick={() => setFull(true)}>
              View Full Output
            </Button>
          )}
          <span title={sha256} className="font-mono text-ink-2 text-tiny">
            sha256 {shortDigest(sha256)}
            {exitCode !== null && ` · exit ${exitCode}`}
          </span>
          {!command.needs_approval && (
            <span className="text-ink-3 text-tiny">Read-only, so it ran immediately.</span>
          )}
        </div>
      </div>
      {full && (
        <FullOutput
          of={`command ${number}`}
          shown={output}
          shortened={shortened}
          live={running}
          whole={commandOutputQuery(projectId, number, running)}
          onClose={() => setFull(false)}
        />
      )}
    </section>
  );
}

interface TitleProps {
  id: string;
  command: ChatCommand;
  state: CommandState;
}

/** The command's number, where it runs, and its state. */
function Title({ id, command, state: { status, rejected } }: TitleProps) {
  const { label, Icon } = TARGETS[command.target];
  return (
    <header className="flex items-center justify-between gap-3 px-3.5 pt-2.5">
      <h3
        id={id}
        className="flex min-w-0 items-center gap-2 whitespace-nowrap font-[560] font-sans text-note"
      >
        <Icon size={15} aria-hidden className="shrink-0 text-ink-2" />
        <span className="flex flex-wrap gap-x-2">
          Command {command.number} <span className="font-normal text-ink-2">{label}</span>
        </span>
      </h3>
      <Pill
        tone={statusTone({ status, failure: rejected ? "rejected" : null })}
        live={status === "in_progress"}
      >
        {rejected ? "rejected" : statusWord(status)}
      </Pill>
    </header>
  );
}

function DecisionButtons({ decide }: Pick<CommandState, "decide">) {
  const { isPending, variables: approved } = decide;
  return (
    <>
      <Button kind="signal" size="small" pending={isPending} onClick={() => decide.mutate(true)}>
        {isPending && approved ? "Approving..." : "Approve"}
      </Button>
      <Button size="small" pending={isPending} onClick={() => decide.mutate(false)}>
        {isPending && !approved ? "Rejecting..." : "Reject"}
      </Button>
    </>
  );
}

function CancelButton({ cancel }: Pick<CommandState, "cancel">) {
  const ending = cancel.isPending || cancel.isSuccess;
  return (
    <Button kind="danger" size="small" pending={ending} onClick={() => cancel.mutate()}>
      {ending ? "Canceling..." : "Cancel this run"}
    </Button>
  );
}

/** The command's output; it follows the end while the reader is there. */
function Output({ number, text }: { number: number; text: string }) {
  const { box, content } = useStickToEnd();
  return (
    <Scroll
      ref={box}
      role="log"
      label={`Output of command ${number}`}
      className="max-h-64 overflow-auto rounded-control bg-terminal px-3 py-2.5"
    >
      <pre ref={content} className="font-mono text-[#e4e4e4] text-small leading-[1.55]">
        {text === "" ? <span className="text-[#a8a8a8]">Waiting for output...</span> : text}
      </pre>
    </Scroll>
  );
}

const decisionProblem = (error: Error) =>
  isRefusal(error, "command_changed")
    ? "This is no longer the command that would run. Ask the DevOps Helper for it again."
    : problemText(error);
