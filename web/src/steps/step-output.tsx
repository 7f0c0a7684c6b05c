import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Step } from "../api/execution";
import { plainOutput } from "../lib/ansi";
import { useStickToEnd } from "../lib/stick";
import { firstLines } from "../lib/text";
import { Button } from "../ui/button";
import { Code } from "../ui/code";
import { Scroll } from "../ui/scroll";
import { FullOutput } from "./full-output";
import { TitledPart } from "./titled-part";
import type { Track } from "./track";

/** How many lines of an output the card shows. */
const SHOWN_LINES = 5;
/** A running output larger than this, in bytes, is shown only in the list's shortened form. */
const LIVE_BYTES = 256 * 1024;

export function StepOutput({ track, step }: { track: Track; step: Step }) {
  const [full, setFull] = useState(false);
  const running = step.status === "in_progress" && step.running;
  const atWork = step.status === "in_progress";
  const live = useQuery({
    ...track.output(step, atWork),
    enabled: atWork && step.output_bytes < LIVE_BYTES,
  });
  const output = plainOutput(longest(live.data, step.output));
  if (output === "" && !running) return null;
  const shown = firstLines(output, SHOWN_LINES);
  return (
    <TitledPart title="Output from the execution agent">
      {running ? (
        <LiveOutput number={step.step_number} text={output} />
      ) : (
        <Code label={`Output of step ${step.step_number}`} text={shown.text} />
      )}
      {(shown.more || step.output_truncated) && (
        <Button size="small" className="mt-2" onClick={() => setFull(true)}>
          View Full Output
        </Button>
      )}
      {full && (
        <FullOutput
          of={`step ${step.step_number}`}
          shown={output}
          shortened={step.output_truncated}
          live={running}
          whole={track.output(step, running)}
          onClose={() => setFull(false)}
        />
      )}
    </TitledPart>
  );
}

/** The output of a running step as it grows; it follows the end while the reader is there. */
function LiveOutput({ number, text }: { number: number; text: string }) {
  const { box, content } = useStickToEnd();
  return (
    <Scroll
      ref={box}
      role="log"
      label={`Output of step ${number}`}
      className="h-40 overflow-auto rounded-control border border-line-strong/70 bg-sunken px-3 py-2.5"
    >
      <pre ref={content} className="font-mono text-small leading-[1.55]">
        {text === "" ? <span className="text-ink-3">Waiting for output...</span> : text}
      </pre>
    </Scroll>
  );
}

const longest = (a: string | undefined, b: string) => (a !== undefined && a.length > b.length ? a : b);
