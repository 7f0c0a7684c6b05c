import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { ApiError } from "../api/errors";
import { costsQuery, projectQuery, tokenUsageQuery } from "../api/projects";
import { Breakdown } from "../costs/breakdown";
import { Budget } from "../costs/budget";
import { cost, percent } from "../lib/money";
import { backFrom, paths } from "../lib/paths";
import { dayAndTime, duration } from "../lib/time";
import { useProjectRoute } from "../project/route";
import { ProjectPage } from "../shell/project-page";
import { BackLink } from "../ui/back-link";
import { cx } from "../ui/class";
import { Skeleton } from "../ui/states";
import { Component as NotFound } from "./not-found";

/** The costs of a project and their parts. */
export function Component() {
  const { projectId } = useProjectRoute();
  const [params] = useSearchParams();
  const project = useQuery(projectQuery(projectId));
  const costs = useQuery(costsQuery(projectId));
  const usage = useQuery(tokenUsageQuery(projectId));
  const ran = (costs.data?.sandbox_seconds ?? 0) > 0;
  const cached = costs.data?.caching;
  const back = backFrom(projectId, params.get("returnTo"));
  if (project.error instanceof ApiError && project.error.status === 404) return <NotFound />;
  return (
    <ProjectPage project={project.data} title="Cost details">
      <BackLink to={back}>Back</BackLink>
      <h1 className="mt-3 text-title">Cost details</h1>
      <p className="text-ink-2">{project.data?.name ?? "\u00a0"}</p>
      <dl
        className={cx(
          "mt-6 grid gap-4 max-narrow:grid-cols-1",
          ran !== (cached !== undefined) ? "grid-cols-3 max-wide:grid-cols-2" : "grid-cols-2",
        )}
      >
        <Figure name="Total project cost" note={updated(costs.data?.last_updated)}>
          <Amount of={costs} />
        </Figure>
        <Figure
          name="Intelligence costs"
          note={
            usage.data &&
            `${usage.data.input_tokens.toLocaleString("en-US")} input and ${usage.data.output_tokens.toLocaleString("en-US")} output tokens`
          }
        >
          <Amount of={usage} />
        </Figure>
        {costs.data && ran && (
          <Figure name="Sandbox costs" note={`It has run for ${duration(costs.data.sandbox_seconds * 1000)}`}>
            ${cost(costs.data.sandbox_cost)}
          </Figure>
        )}
        {cached && (
          <Figure name="Cached input" note={`It saved $${cost(cached.saved)} of the model provider's price`}>
            {percent(cached.share)}
          </Figure>
        )}
      </dl>
      <div className="mt-4 flex flex-col gap-4">
        <Budget projectId={projectId} costs={costs.data} />
        <Breakdown projectId={projectId} />
      </div>
      <section className="mt-8 flex max-w-prose flex-col gap-3 text-ink-2">
        <h2 className="text-ink text-lead">What this counts</h2>
        <p>
          Intelligence costs are the tokens that the agents read and write for this project: planning,
          preparing commands and answering in the chats. They are deducted from your credit balance in real
          time.
        </p>
        {cached && (
          <p>
            The model provider keeps the beginning of a conversation for a few minutes and reads it again at a
            tenth of its price. You pay the same for every token.
          </p>
        )}
        <p>
          What your cloud provider charges for servers and storage is between you and them, and is not part of
          this page.
        </p>
        <p className="mt-2 rounded-box border border-line bg-surface px-4 py-3 text-note">
          Research preview pricing: $5 per million input tokens and $20 per million output tokens. Regular
          rates are $30 per million tokens.{" "}
          <a href={paths.pricing()} className="underline underline-offset-3">
            See pricing
          </a>
        </p>
      </section>
    </ProjectPage>
  );
}

/** A known cost; empty if it could not be read. */
function Amount({ of }: { of: { isPending: boolean; data?: { total_cost: string } | undefined } }) {
  if (of.isPending) return <Skeleton className="my-1 h-6 w-28" />;
  return of.data ? `$${cost(of.data.total_cost)}` : "\u00a0";
}

function updated(time: string | null | undefined): string | undefined {
  return time ? `Last updated ${dayAndTime(time)}` : undefined;
}

function Figure({ name, note, children }: { name: string; note: string | undefined; children: ReactNode }) {
  return (
    <div className="rounded-card border border-line bg-surface px-5 py-4">
      <dt className="label">{name}</dt>
      <dd className="mt-1 flow-root font-[620] font-display text-[26px] leading-tight">{children}</dd>
      <dd className="mt-1.5 min-h-5 text-ink-2 text-small">{note}</dd>
    </div>
  );
}
