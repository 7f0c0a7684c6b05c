import { CircleCheck } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import type { PushResult } from "../api/repository";
import { Problem } from "../ui/states";
import { StayingFiles } from "./staying-files";

/** The result of a push. */
export function PushOutcome({ result }: { result: PushResult }) {
  const { push, committed, staying, pull_request_problem: problem } = result;
  const pull = push.pull_request;
  const shown = useRef<HTMLParagraphElement>(null);
  // The button is gone with its list; the keyboard continues from the result.
  useLayoutEffect(() => shown.current?.focus(), []);
  return (
    <div className="flex flex-col gap-3">
      <p ref={shown} tabIndex={-1} className="flex flex-wrap items-center gap-x-1.5 gap-y-1 outline-none">
        <CircleCheck size={16} aria-hidden className="shrink-0 text-ok" />
        {committed
          ? `Pushed to ${push.branch}.`
          : pull || problem
            ? "The branch already has these files."
            : "The repository already has these files."}
        {pull && (
          <a href={pull.url} target="_blank" rel="noreferrer" className="underline underline-offset-3">
            Open pull request #{pull.number}
          </a>
        )}
      </p>
      {problem && (
        <Problem>
          {pull ? "The pull request still has its previous text." : "No pull request was opened."} {problem}{" "}
          Push again to retry.
        </Problem>
      )}
      <StayingFiles staying={staying} />
    </div>
  );
}
