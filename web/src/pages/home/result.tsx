import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { credentialsQuery } from "../../api/credentials";
import { driftQuery } from "../../api/drift";
import { problemText } from "../../api/errors";
import type { Step } from "../../api/execution";
import { planQuery } from "../../api/planning";
import { checksQuery } from "../../api/validation";
import { ChangeBack } from "../../changes/change-back";
import { useDocumentation } from "../../documentation/use-documentation";
import { DriftChecks } from "../../drift/drift-checks";
import { paths } from "../../lib/paths";
import { dayAndTime } from "../../lib/time";
import { useProjectRoute } from "../../project/route";
import { type Address, addressesOf } from "../../result/addresses";
import { costsIn } from "../../result/estimate";
import { healthOf } from "../../result/health";
import { logFilesIn } from "../../result/log-files";
import { Logs } from "../../result/logs";
import { type PreviousChange, usePreviousChange } from "../../result/previous-change";
import { Services } from "../../result/services";
import { Card, CardHeader } from "../../ui/card";
import { CopyButton } from "../../ui/copy-button";
import { KeptScroll } from "../../ui/kept-scroll";
import { Markdown } from "../../ui/markdown";
import { Pill } from "../../ui/pill";
import { DocumentSkeleton, Failure, Problem } from "../../ui/states";
import { descriptionOf, statusTone, statusWord } from "../../ui/step-status";

/** The finished project: its addresses, its health, what it needs and what it costs. */
export function Component() {
  const { projectId } = useProjectRoute();
  const state = useDocumentation(projectId);
  const previous = usePreviousChange(projectId);
  return (
    <Card label="What was built" className="flex-1">
      <CardHeader title="What was built" />
      {state.is === "failed" && (
        <Failure title="Failed to load documentation" error={state.error} retry={state.retry} />
      )}
      {state.is === "loading" && <DocumentSkeleton label="Loading what was built..." />}
      {state.is === "generating" && (
        <DocumentSkeleton label="An agent is collecting the addresses of what was built. This takes a minute or two; you can stay on this page." />
      )}
      {state.is === "ready" && (
        <KeptScroll
          label="What was built"
          className="min-h-0 flex-1 overflow-auto px-6.5 py-4 focus-visible:-outline-offset-2 max-narrow:px-4.5"
        >
          <div className="flex flex-col gap-7">
            <Addresses addresses={addressesOf(state.documentation.key_value_data ?? {})} />
            <Services
              projectId={projectId}
              titled={(content) => <TitledPart title="Services in the sandbox">{content}</TitledPart>}
            />
            <Logs
              projectId={projectId}
              files={logFilesIn(state.documentation.key_value_data)}
              titled={(content) => <TitledPart title="Logs">{content}</TitledPart>}
            />
            <Checks projectId={projectId} previous={previous} />
            <Credentials projectId={projectId} />
            <Costs projectId={projectId} previous={previous} />
          </div>
        </KeptScroll>
      )}
    </Card>
  );
}

interface TitledPartProps {
  title: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

function TitledPart({ title, ref, children }: TitledPartProps) {
  return (
    <section ref={ref} aria-label={title}>
      <h3 className="label mb-2">{title}</h3>
      {children}
    </section>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="text-ink-2 text-note">{children}</p>;

const LINK = "underline decoration-line-strong underline-offset-3 hover:decoration-current";

function Addresses({ addresses }: { addresses: Address[] }) {
  return (
    <TitledPart title="Addresses">
      {addresses.length === 0 ? (
        <Note>The configuration data names no address.</Note>
      ) : (
        <ul className="rounded-box border border-line">
          {addresses.map((address) => (
            <li
              key={`${address.name} ${address.text}`}
              className="flex items-center gap-3 border-line border-b px-3.5 py-2 last:border-0"
            >
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="text-ink-2 text-note">
                  {address.name}
                  {address.local && " · only from the machine where it runs"}
                </span>
                {address.href ? (
                  <a
                    href={address.href}
                    target="_blank"
                    rel="noreferrer"
                    className={`wrap-anywhere font-mono text-ink text-small ${LINK}`}
                  >
                    {address.text} <ExternalLink size={12} aria-hidden className="inline" />
                    <span className="sr-only"> (opens in a new tab)</span>
                  </a>
                ) : (
                  <span className="wrap-anywhere font-mono text-small">{address.text}</span>
                )}
              </span>
              <CopyButton what={`the address of ${address.name}`} text={address.text} />
            </li>
          ))}
        </ul>
      )}
    </TitledPart>
  );
}

function Checks({ projectId, previous }: { projectId: number; previous: PreviousChange }) {
  const checks = useQuery(checksQuery(projectId));
  const drift = useQuery(driftQuery(projectId));
  const part = useLinked("health", drift.data !== undefined);
  const health = healthOf(checks.data?.steps ?? []);
  const open = (
    <Link to={paths.project(projectId, "validation")} className={`text-note ${LINK}`}>
      Open the validation
    </Link>
  );
  const failed = (checks.isError && !checks.data) || (drift.isError && !drift.data);
  if (drift.data && drift.data.checks.length > 0)
    return (
      <TitledPart title="Health" ref={part}>
        <DriftChecks
          projectId={projectId}
          drift={drift.data}
          waysBack={(drifted) => (
            <ChangeBack projectId={projectId} described={drifted.map(({ description }) => description)} />
          )}
        >
          {open}
        </DriftChecks>
      </TitledPart>
    );
  const loading = !checks.data || !drift.data || previous.isPending;
  return (
    <TitledPart title="Health">
      {failed ? (
        <Problem>The checks could not be read.</Problem>
      ) : loading ? (
        <Note>Loading the checks...</Note>
      ) : health.at === undefined && previous.under !== undefined ? (
        <PreviousChecks previous={previous} under={previous.under} />
      ) : health.planned === 0 ? (
        <Note>Nothing has been checked yet.</Note>
      ) : (
        <Results checks={checks.data.steps}>
          {health.at && (
            <>
              {" "}
              · last checked <time dateTime={health.at}>{dayAndTime(health.at)}</time>
            </>
          )}
        </Results>
      )}
      <div className="mt-3">{open}</div>
    </TitledPart>
  );
}

/** Shows the part that the address names, once it has its content. */
function useLinked(name: string, loaded: boolean) {
  const { hash } = useLocation();
  const part = useRef<HTMLElement>(null);
  useEffect(() => {
    if (loaded && hash === `#${name}`) part.current?.scrollIntoView();
  }, [loaded, hash, name]);
  return part;
}

/** The results of the previous change, until the change under way has been checked. */
function PreviousChecks({ previous: { past, error }, under }: { previous: PreviousChange; under: number }) {
  const before = past?.change;
  if (!past || !before) return <Problem>The checks could not be read. {problemText(error)}</Problem>;
  return (
    <>
      <p className="mb-2 text-ink-2 text-note">
        Change {under} is under way. These are the last checks from before it began. You can check for drift
        again once the change's own checks have passed: until then, it alters what they describe.
      </p>
      <Results checks={past.checks}>
        {before.ended_at && (
          <>
            {" "}
            · change {before.number} completed{" "}
            <time dateTime={before.ended_at}>{dayAndTime(before.ended_at)}</time>
          </>
        )}
      </Results>
    </>
  );
}

type Checked = Pick<Step, "step_number" | "description" | "status">;

/** How many checks passed, and the result of each. */
function Results({ checks, children }: { checks: readonly Checked[]; children: ReactNode }) {
  const passed = checks.filter(({ status }) => status === "completed").length;
  return (
    <>
      <p className="mb-2 text-note">
        {passed} of {checks.length} checks passed
        {children}
      </p>
      <ul className="rounded-box border border-line">
        {checks.map((check) => (
          <li
            key={check.step_number}
            className="flex items-center justify-between gap-3 border-line border-b px-3.5 py-2 last:border-0"
          >
            <span className="min-w-0 break-words">{descriptionOf(check)}</span>
            <Pill tone={statusTone(check)}>{statusWord(check.status)}</Pill>
          </li>
        ))}
      </ul>
    </>
  );
}

function Credentials({ projectId }: { projectId: number }) {
  const credentials = useQuery(credentialsQuery(projectId));
  const names = (credentials.data ?? []).flatMap(({ names }) => names);
  return (
    <TitledPart title="Credentials">
      {credentials.isError && !credentials.data ? (
        <Problem>The names of the credentials could not be read.</Problem>
      ) : credentials.isPending ? (
        <Note>Loading the names of the credentials...</Note>
      ) : names.length === 0 ? (
        <Note>This project has no credentials.</Note>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {names.map((name) => (
            <li key={name} className="prose-crew">
              <code>{name}</code>
            </li>
          ))}
        </ul>
      )}
    </TitledPart>
  );
}

function Costs({ projectId, previous }: { projectId: number; previous: PreviousChange }) {
  const plan = useQuery(planQuery(projectId, "architecture"));
  const before = previous.past?.documents.find(({ document }) => document === "architecture");
  // A change begins without a plan; until it has one, the estimate is that of the previous change.
  const texts = [plan.data?.text ?? "", ...(before?.parts.map(({ text }) => text) ?? [])];
  const costs = texts.map(costsIn).find(Boolean);
  return (
    <TitledPart title="Estimated cost">
      {plan.isError && !plan.data ? (
        <Problem>The architecture plan could not be read.</Problem>
      ) : plan.isPending || previous.isPending ? (
        <Note>Loading the estimate...</Note>
      ) : costs ? (
        <>
          <Note>As the architecture plan estimates it:</Note>
          <Markdown text={costs} />
        </>
      ) : (
        <Note>The architecture plan has no estimate.</Note>
      )}
    </TitledPart>
  );
}
