import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { problemText } from "../api/errors";
import { costsKey, type ProjectCosts, setBudget } from "../api/projects";
import { amountOf, inCents, readingProblem, typedAmount } from "../credits/rules";
import { balance, cost } from "../lib/money";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { Problem } from "../ui/states";

/** The share of its budget from which a project counts as close to the limit. */
const NEAR = 0.8;

/** The amount at which this project's agents stop, and a form to change it. */
export function Budget({ projectId, costs }: { projectId: number; costs: ProjectCosts | undefined }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const save = useOnce({
    mutationFn: (amount: number | null) => setBudget(projectId, amount),
    onSuccess: ({ budget }) => {
      setTyped("");
      queries.setQueryData<ProjectCosts>(costsKey(projectId), (known) => known && { ...known, budget });
      // The pressed button is now disabled or gone, so the focus moves.
      input.current?.focus();
    },
    // Not awaited: the buttons work again as soon as the budget is set.
    onSettled: () => void queries.invalidateQueries({ queryKey: costsKey(projectId) }),
  });
  const budget = costs?.budget ? Number.parseFloat(costs.budget) : undefined;
  const amount = amountOf(typed);
  const unread = readingProblem(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (amount > 0 && !save.isPending) save.mutate(inCents(amount));
  };
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-card border border-line bg-surface px-5 py-4">
      <h2 id={`${id}-title`} className="text-base">
        Project budget
      </h2>
      <p className="mt-1 text-ink-2 text-note">
        When this project has cost this much, its agents stop until you raise it. Other projects continue.
      </p>
      {budget !== undefined && (
        <Used spent={Number.parseFloat(costs?.total_cost ?? "") || 0} budget={budget} />
      )}
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-2.5">
        <label className="flex flex-col gap-1.5">
          <span className="label">{budget === undefined ? "Budget" : "New budget"}</span>
          <span className="flex w-40 items-center rounded-control border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-ink focus-within:outline-offset-2">
            <span aria-hidden className="pl-3 text-ink-2">
              $
            </span>
            <input
              ref={input}
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              readOnly={save.isPending}
              aria-invalid={unread !== undefined}
              aria-describedby={`${id}-read`}
              placeholder={budget === undefined ? "No limit" : budget.toFixed(2)}
              onChange={(event) => setTyped(typedAmount(typed, event.target.value))}
              className="min-h-8.5 w-full bg-transparent px-1.5 py-1.5 outline-none placeholder:text-ink-3 read-only:text-ink-3"
            />
          </span>
        </label>
        <Button type="submit" disabled={!(amount > 0)} pending={save.isPending}>
          {save.isPending ? "Saving..." : "Set Budget"}
        </Button>
        {budget !== undefined && (
          <Button kind="quiet" pending={save.isPending} onClick={() => save.mutate(null)}>
            Remove Budget
          </Button>
        )}
      </form>
      <p
        id={`${id}-read`}
        role="status"
        className={cx("mt-2 text-small empty:hidden", unread ? "text-bad" : "text-ink-2")}
      >
        {unread}
      </p>
      {save.isError && (
        <div className="mt-3">
          <Problem>{problemText(save.error)}</Problem>
        </div>
      )}
    </section>
  );
}

function Used({ spent, budget }: { spent: number; budget: number }) {
  const share = budget > 0 ? Math.min(1, spent / budget) : 1;
  const reached = spent >= budget;
  const used = `$${cost(String(spent))} of ${balance(budget)}`;
  return (
    <div className="mt-3">
      <p className="flex justify-between gap-3 text-note">
        <span className={cx(reached && "font-[560] text-bad")}>
          {reached ? "Reached: agents have stopped" : `${used} used`}
        </span>
        <span className="text-ink-2">{reached ? used : `${Math.floor(share * 100)}%`}</span>
      </p>
      <div aria-hidden data-bar="empty" className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          data-bar="full"
          className={cx("h-full rounded-full", reached ? "bg-bad" : share >= NEAR ? "bg-ink" : "bg-ok")}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
