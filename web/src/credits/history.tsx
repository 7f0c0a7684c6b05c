import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Link } from "react-router";
import { projectsQuery } from "../api/projects";
import {
  downloadTransactions,
  type Transaction,
  type TransactionStatus,
  transactionsQuery,
} from "../api/user";
import { creditsModal } from "../lib/credits-modal";
import { paths } from "../lib/paths";
import { dayAndTime } from "../lib/time";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { Pill, type Tone } from "../ui/pill";
import { Skeleton } from "../ui/states";
import { isBooked, signedAmount, titleOf } from "./entry";

/** Every change of the balance, newest first. */
export function TransactionHistory() {
  const transactions = useInfiniteQuery(transactionsQuery());
  const entries = transactions.data?.pages.flatMap((page) => page.entries);
  const projects = useQuery(projectsQuery());
  const names = new Map(projects.data?.map(({ id, name }) => [id as Transaction["project_id"], name]));
  const save = useMutation({ mutationFn: downloadTransactions });
  return (
    <section aria-labelledby="transaction-history" className="flex min-h-0 flex-col">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 id="transaction-history" className="text-base">
          Transaction History
        </h3>
        {entries && entries.length > 0 && (
          <Button kind="quiet" size="small" pending={save.isPending} onClick={() => save.mutate()}>
            <Download size={14} aria-hidden /> Download CSV
          </Button>
        )}
      </div>
      {save.isError && (
        <p role="alert" className="text-bad text-small">
          The file could not be downloaded. Please try again.
        </p>
      )}
      <div className="mt-1.5">
        {transactions.isPending && <Loading />}
        {transactions.isError && !entries && (
          <div role="alert" className="flex items-center justify-between gap-3 py-3 text-bad text-note">
            Failed to load transaction history
            <Button size="small" onClick={() => void transactions.refetch()}>
              Try again
            </Button>
          </div>
        )}
        {entries?.length === 0 && (
          <div className="rounded-box border border-line border-dashed px-4 py-7 text-center">
            <p className="font-[560]">No transactions yet</p>
            <p className="mt-0.5 text-ink-2 text-note">Payments and what the agents used are listed here.</p>
          </div>
        )}
        {entries && entries.length > 0 && (
          <ul className="border-line border-t">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} project={names.get(entry.project_id)} />
            ))}
          </ul>
        )}
        {transactions.hasNextPage && (
          <Button
            size="small"
            className="mt-3 w-full"
            pending={transactions.isFetchingNextPage}
            onClick={() => void transactions.fetchNextPage()}
          >
            {transactions.isFetchingNextPage ? "Loading..." : "Show more"}
          </Button>
        )}
      </div>
    </section>
  );
}

const STATUSES: Record<TransactionStatus, Tone> = {
  pending: "run",
  completed: "ok",
  failed: "bad",
  expired: "idle",
  refunded: "idle",
  disputed: "bad",
};

function Entry({ entry, project }: { entry: Transaction; project: string | undefined }) {
  const incoming = entry.transaction_type === "add";
  const what = titleOf(entry);
  const booked = isBooked(entry);
  return (
    <li className="flex items-start gap-3 border-line border-b py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-[540]" title={project ? `${project} · ${what}` : what}>
          {project !== undefined && entry.project_id !== null && (
            <>
              <Link
                to={paths.costs(entry.project_id)}
                onClick={creditsModal.close}
                className="rounded-control underline decoration-line-strong underline-offset-3 hover:decoration-current"
              >
                {project}
              </Link>
              {" · "}
            </>
          )}
          {what}
        </p>
        <p className="truncate text-ink-2 text-small">
          <span className="capitalize">{entry.payment_method}</span>
          {" · "}
          <time dateTime={entry.created_at}>{dayAndTime(entry.created_at)}</time>
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1">
        <span className={cx("font-[600] tabular-nums", booked ? incoming && "text-ok" : "text-ink-3")}>
          {signedAmount(entry)}
        </span>
        <Pill tone={STATUSES[entry.status] ?? "idle"}>{entry.status}</Pill>
      </div>
    </li>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading transactions...</span>
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex justify-between border-line border-b py-3">
          <span className="flex flex-col gap-1.5">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3 w-44" />
          </span>
          <Skeleton className="h-3.5 w-14" />
        </div>
      ))}
    </div>
  );
}
