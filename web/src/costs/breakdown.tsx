import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ThreadAgent } from "../api/planning";
import type { StageId } from "../api/project-states";
import { breakdownQuery } from "../api/projects";
import { AGENT_NAMES } from "../api/texts";
import { cost } from "../lib/money";
import { entryOf } from "../lib/table";
import { Skeleton } from "../ui/states";
import { DayChart } from "./day-chart";
import { everyDay } from "./days";

type CostStage = StageId | "operation";

const STAGES: Record<CostStage, string> = {
  requirements: "Requirements",
  architecture: "Cloud architecture",
  implementation: "Implementation",
  execution: "Execution",
  validation: "Validation",
  operation: "Documentation and operation",
};

const AGENTS: Record<ThreadAgent, string> = AGENT_NAMES;

/** The costs by day, by stage and by agent. */
export function Breakdown({ projectId }: { projectId: number }) {
  const breakdown = useQuery(breakdownQuery(projectId));
  if (breakdown.isPending) return <Loading />;
  if (!breakdown.data) return null;
  const { by_agent, by_day, by_stage } = breakdown.data;
  const days = everyDay(by_day);
  if (days.length === 0 && by_stage.length === 0 && by_agent.length === 0) {
    return (
      <Box title="Where the money went">
        <p className="text-ink-2">
          Nothing yet. It is listed here by day, stage and agent as soon as agents work.
        </p>
      </Box>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <Box title="By day">{days.length > 0 && <DayChart days={days} />}</Box>
      <div className="grid grid-cols-2 gap-4 max-wide:grid-cols-1">
        <Box title="By stage">
          <Shares
            rows={by_stage.map((row) => ({
              ...row,
              name: entryOf(STAGES, row.stage_id as CostStage) ?? row.stage_id,
            }))}
            what="Stage"
          />
        </Box>
        <Box title="By agent">
          <Shares rows={by_agent.map((row) => ({ ...row, name: AGENTS[row.agent_id] }))} what="Agent" />
        </Box>
      </div>
    </div>
  );
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface px-5 py-4">
      <h2 className="mb-4 text-base">{title}</h2>
      {children}
    </section>
  );
}

interface SharesProps {
  what: string;
  rows: { name: string; total_cost: string; input_tokens: number; output_tokens: number }[];
}

function Shares({ what, rows }: SharesProps) {
  const most = Math.max(...rows.map((row) => Number.parseFloat(row.total_cost) || 0), 0);
  return (
    <table className="w-full text-left text-note">
      <thead>
        <tr className="label">
          <th scope="col" className="pb-1.5 font-[550]">
            {what}
          </th>
          <th scope="col" className="pb-1.5 text-right font-[550]">
            Tokens in / out
          </th>
          <th scope="col" className="pb-1.5 text-right font-[550]">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="border-line border-t">
            <th scope="row" className="py-2 pr-3 font-[500]">
              {row.name}
              <Bar share={most > 0 ? (Number.parseFloat(row.total_cost) || 0) / most : 0} />
            </th>
            <td className="whitespace-nowrap py-2 text-right align-top text-ink-2">
              {count(row.input_tokens)} / {count(row.output_tokens)}
            </td>
            <td className="py-2 pl-3 text-right align-top font-[560]">${cost(row.total_cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <span aria-hidden data-bar="empty" className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken">
      <span
        data-bar="full"
        className="block h-full rounded-full bg-ink-3"
        style={{ width: `${Math.max(1, share * 100)}%` }}
      />
    </span>
  );
}

const count = (tokens: number) =>
  tokens < 10_000 ? tokens.toLocaleString("en-US") : `${(tokens / 1000).toFixed(tokens < 100_000 ? 1 : 0)}k`;

function Loading() {
  return (
    <div role="status" className="rounded-card border border-line bg-surface px-5 py-4">
      <span className="sr-only">Loading the breakdown...</span>
      <Skeleton className="h-4 w-16" />
      <Skeleton className="mt-4 h-33 w-full" />
    </div>
  );
}
