import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "react-router";
import { type PastChange, type PastStep, pastChangeQuery } from "../../api/changes";
import { isTransient } from "../../api/errors";
import { changeTitle, changeTone, changeWord } from "../../changes/words";
import { cost } from "../../lib/money";
import { paths } from "../../lib/paths";
import { shortDigest } from "../../lib/text";
import { dayAndTime } from "../../lib/time";
import { useProjectRoute } from "../../project/route";
import { Card, CardHeader } from "../../ui/card";
import { Code } from "../../ui/code";
import { FoldLine } from "../../ui/fold-line";
import { KeptScroll } from "../../ui/kept-scroll";
import { Markdown } from "../../ui/markdown";
import { Pill } from "../../ui/pill";
import { DocumentSkeleton, Empty, Failure } from "../../ui/states";
import { statusTone, statusWord } from "../../ui/step-status";

const TITLES: Record<PastChange["documents"][number]["document"], string> = {
  requirements: "Requirements",
  architecture: "Architecture plan",
  implementation: "Implementation plan",
  validation: "Validation plan",
  documentation: "Documentation",
};

/** An earlier change: its documents, its steps with their approvals and outputs, and its checks. */
export function Component() {
  const { projectId } = useProjectRoute();
  const number = Number(useParams().number);
  const past = useQuery(pastChangeQuery(projectId, number));
  const change = past.data?.change;
  return (
    <Card label="Earlier change" className="flex-1">
      <CardHeader title={change ? changeTitle(change) : `Change ${number}`}>
        {change && <Pill tone={changeTone(change.status)}>{changeWord(change.status)}</Pill>}
      </CardHeader>
      <KeptScroll
        label="Earlier change"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4.5 py-4 focus-visible:-outline-offset-2"
      >
        <Link
          to={paths.home(projectId, "changes")}
          className="inline-flex min-h-8 items-center gap-1.5 rounded-control text-ink-2 text-note no-underline hover:text-ink"
        >
          <ArrowLeft size={14} aria-hidden /> All changes
        </Link>
        {past.isPending && <DocumentSkeleton label="Loading the change..." />}
        {past.isError && !past.data && isTransient(past.error) && (
          <Failure
            title="The change could not be read"
            error={past.error}
            retry={() => void past.refetch()}
          />
        )}
        {past.isError && !past.data && !isTransient(past.error) && (
          <Empty title="No earlier change has this number">
            Only earlier changes are kept here. The current change is in the stages.
          </Empty>
        )}
        {past.data && <Parts past={past.data} />}
      </KeptScroll>
    </Card>
  );
}

function Parts({ past }: { past: PastChange }) {
  const { change } = past;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-2 text-note">
        Begun {dayAndTime(change.begun_at)}
        {change.ended_at && `, ${changeWord(change.status)} ${dayAndTime(change.ended_at)}`} · $
        {cost(change.cost)}
      </p>
      <section>
        <h2 className="mb-2 text-lead">Documents</h2>
        {past.documents.map(({ document, parts }) => (
          <Fold key={document} title={TITLES[document]}>
            {parts.map((part) => (
              <Markdown
                key={part.title}
                text={part.title === "Configuration data" ? `\`\`\`json\n${part.text}\n\`\`\`` : part.text}
              />
            ))}
          </Fold>
        ))}
      </section>
      <Steps title="Steps" thing="step" steps={past.steps} />
      <Steps title="Checks" thing="check" steps={past.checks} />
    </div>
  );
}

function Steps({ title, thing, steps }: { title: string; thing: string; steps: PastStep[] }) {
  return (
    <section>
      <h2 className="mb-2 text-lead">{title}</h2>
      {steps.length === 0 && <p className="text-ink-2">No {thing} ran.</p>}
      {steps.map((step) => (
        <Fold
          key={step.step_number}
          title={`${step.step_number}. ${step.description}`}
          aside={<Pill tone={statusTone(step)}>{statusWord(step.status)}</Pill>}
        >
          <p className="text-ink-2 text-note">
            {approval(step)}
            {step.command_sha256 && ` · SHA-256 ${shortDigest(step.command_sha256)}`}
            {step.exit_code !== null && ` · exit ${step.exit_code}`}
          </p>
          {step.error_message && <p className="text-bad text-note">{step.error_message}</p>}
          {step.left_out ? (
            <p className="mt-3 text-ink-2">
              This change ran too much for this page to show all of it. The audit has this script.
            </p>
          ) : (
            <>
              <h3 className="label mt-3 mb-1">Script</h3>
              <Code label={`Script of ${thing} ${step.step_number}`} text={step.command ?? ""} />
              <h3 className="label mt-3 mb-1">Output</h3>
              <Code label={`Output of ${thing} ${step.step_number}`} text={step.output} />
            </>
          )}
        </Fold>
      ))}
    </section>
  );
}

/** Who approved the script of a step, or why it has no approval. */
function approval({ approved_by, approved_at, only_reads }: PastStep) {
  if (approved_by && approved_at) return `Approved by ${approved_by.login}, ${dayAndTime(approved_at)}`;
  return only_reads ? "Ran without an approval, because it only reads" : "Not approved";
}

function Fold({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <details className="border-line border-b">
      <FoldLine className="min-h-11 py-1.5 font-[550]">
        <span className="min-w-0 flex-1 break-words">{title}</span>
        {aside}
      </FoldLine>
      <div className="pb-4">{children}</div>
    </details>
  );
}
