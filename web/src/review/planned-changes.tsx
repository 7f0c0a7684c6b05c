import { ChevronRight } from "lucide-react";
import type { Step } from "../api/execution";
import { shortDigest } from "../lib/text";
import { cx } from "../ui/class";
import { Problem } from "../ui/states";
import { ACTIONS, countsOf, type PlannedResource, planOf, type SavedPlan, sidesOf } from "./planned";

/** The changes of a saved Terraform plan, next to the step that saved it and the one that applies it. */
export function PlannedChanges({ step, className }: { step: Step; className?: string }) {
  const found = planOf(step);
  if (!found) return null;
  if (found.is === "gone") {
    if (step.status !== "waiting_approval") return null;
    return (
      <Problem>
        A newer plan has replaced the one that this command applies. Reject this command and re-execute the
        step to see the new plan.
      </Problem>
    );
  }
  const { plan } = found;
  const title = found.is === "applied" ? "What this command changes" : "The saved plan";
  return (
    <section aria-label={title} className={className}>
      <p className="label mb-1">{title}</p>
      <Counts plan={plan} />
      {plan.resources.length > 0 && (
        <ul aria-label="Resources" className="mt-1.5 rounded border border-line">
          {plan.resources.map((resource) => (
            <Resource key={resource.address} resource={resource} />
          ))}
        </ul>
      )}
      {plan.left_out > 0 && (
        <p className="mt-1 text-ink-2 text-small">
          {plan.left_out} more {plan.left_out === 1 ? "resource is" : "resources are"} in the output of the
          step that made the plan.
        </p>
      )}
      <p className="mt-1 text-ink-2 text-small" title={`SHA-256 ${plan.sha256}`}>
        {found.is === "applied" ? "Only this plan is applied" : "A later step applies only this plan"} ·
        sha256 <span className="font-mono">{shortDigest(plan.sha256)}</span>
      </p>
    </section>
  );
}

function Counts({ plan }: { plan: SavedPlan }) {
  const counts = countsOf(plan);
  if (!plan.readable) {
    return <p className="text-note">Terraform could not describe this plan. Read the output of its step.</p>;
  }
  if (counts.length === 0) return <p className="text-note">No resource changes.</p>;
  return (
    <p className="flex flex-wrap gap-x-3 font-[560] text-note">
      {counts.map(({ action, text }) => (
        <span key={action} className={ACTIONS[action].ink}>
          {text}
        </span>
      ))}
    </p>
  );
}

function Resource({ resource }: { resource: PlannedResource }) {
  const { sign, word, ink } = ACTIONS[resource.action];
  return (
    <li className="border-line not-first:border-t">
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 px-2.5 py-1 text-small [&::-webkit-details-marker]:hidden">
          <ChevronRight
            size={14}
            aria-hidden
            className="shrink-0 text-ink-2 transition-transform duration-150 group-open:rotate-90"
          />
          <span aria-hidden className={cx("w-3 shrink-0 text-center font-[600] font-mono", ink)}>
            {sign}
          </span>
          <span className="min-w-0 flex-1 wrap-anywhere font-mono">{resource.address}</span>
          <span className={cx("shrink-0", ink)}>{word}</span>
        </summary>
        <dl className="flex flex-col gap-1 px-2.5 pb-2.5 pl-10 text-small">
          {resource.values.map((value) => {
            const { before, after } = sidesOf(value, resource.action);
            return (
              <div key={value.name} className="flex flex-wrap gap-x-2">
                <dt className="text-ink-2">{value.name}</dt>
                <dd className="min-w-0 wrap-anywhere font-mono">
                  {before !== undefined && <del className="text-ink-2">{before}</del>}
                  {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
                  {after !== undefined && <span>{after}</span>}
                </dd>
              </div>
            );
          })}
          {resource.left_out > 0 && <div className="text-ink-2">{resource.left_out} more</div>}
        </dl>
      </details>
    </li>
  );
}
