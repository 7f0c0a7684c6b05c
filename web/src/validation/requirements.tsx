import { useQuery } from "@tanstack/react-query";
import { type Coverage, provedQuery } from "../api/validation";
import { KeptScroll } from "../ui/kept-scroll";
import { Pill, type Tone } from "../ui/pill";
import { DocumentSkeleton, Empty, Failure } from "../ui/states";

const VERDICTS: Record<Coverage["verdict"], { tone: Tone; word: string }> = {
  proved: { tone: "ok", word: "proved" },
  failed: { tone: "bad", word: "failed" },
  unchecked: { tone: "run", word: "not checked yet" },
  outdated: { tone: "signal", word: "outdated" },
  not_proved: { tone: "signal", word: "not proved" },
  not_built: { tone: "idle", word: "not built" },
};

/**
 * Each requirement with the steps that built it and the checks that prove it. `stamp` changes when a check has ended.
 */
export function Requirements({ projectId, stamp }: { projectId: number; stamp: string | undefined }) {
  const requirements = useQuery(provedQuery(projectId, stamp));
  if (requirements.data?.requirements.length === 0) {
    return (
      <Empty title="No requirements listed">
        Groundcrew gathered these requirements before it listed them one by one.
      </Empty>
    );
  }
  if (requirements.data) {
    return (
      <KeptScroll
        label="Requirements"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        <ul>
          {requirements.data.requirements.map((requirement) => (
            <Row key={requirement.id} requirement={requirement} />
          ))}
        </ul>
      </KeptScroll>
    );
  }
  if (requirements.error) {
    return (
      <Failure
        title="Failed to load requirements"
        error={requirements.error}
        retry={() => void requirements.refetch()}
      />
    );
  }
  return <DocumentSkeleton label="Loading requirements..." />;
}

function Row({ requirement }: { requirement: Coverage }) {
  const { tone, word } = VERDICTS[requirement.verdict];
  return (
    <li className="flex items-start gap-3 border-line border-b px-4.5 py-2.5">
      <span className="label w-7 shrink-0 pt-0.5">{requirement.id}</span>
      <div className="min-w-0 flex-1">
        <p className="break-words">{requirement.wish}</p>
        <p className="text-note text-ink-2">{traceOf(requirement)}</p>
      </div>
      <Pill tone={tone}>{word}</Pill>
    </li>
  );
}

/** The steps that build a requirement and the checks that prove it, on one line. */
export function traceOf({ fate, how, steps, checks }: Coverage): string {
  if (fate === "not") return how || "It is not part of the plan.";
  const instead = fate === "differently" ? [`Instead: ${how}`] : [];
  return [...instead, named("Step", steps), named("Check", checks)].join(" · ");
}

function named(thing: string, traced: Coverage["steps"]): string {
  if (traced.length === 0) return `No ${thing.toLowerCase()} names it`;
  const numbers = traced.map(({ number }) => number).join(", ");
  return `${thing}${traced.length > 1 ? "s" : ""} ${numbers}`;
}
