import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { createPayment } from "../api/payments";
import { creditsKey, transactionsQuery } from "../api/user";
import { creditsModal } from "../lib/credits-modal";
import { useOnce } from "../lib/use-once";
import { inCents, isPaid } from "./rules";

/** A requested checkout page. */
export interface OpenedPayment {
  amount: number;
  link: string;
  /** Whether the browser blocked the new tab, so that the user has to follow the link. */
  blocked: boolean;
  /** The latest entries of the history before it was requested, by their ids; undefined if they were not known. */
  before: ReadonlySet<string> | undefined;
}

/** Requests a checkout page and opens it in a new tab. */
export function usePayment() {
  const queries = useQueryClient();
  return useOnce({
    mutationFn: async (wanted: number): Promise<OpenedPayment> => {
      const amount = inCents(wanted);
      const latest = queries.getQueryData(transactionsQuery().queryKey)?.pages[0]?.entries;
      const before = latest && new Set(latest.map(({ id }) => id));
      const link = await createPayment(amount);
      return { amount, link, blocked: !followInTab(link), before };
    },
    onSuccess: () => {
      creditsModal.awaitPayment();
      void queries.invalidateQueries({ queryKey: transactionsQuery().queryKey });
      void queries.invalidateQueries({ queryKey: creditsKey });
    },
  });
}

/** Calls back once the history shows that the opened payment has arrived. */
export function usePaid(opened: OpenedPayment | undefined, onPaid: () => void) {
  const { data } = useInfiniteQuery(transactionsQuery());
  const paid = opened && isPaid(data?.pages.flatMap(({ entries }) => entries) ?? [], opened);
  useEffect(() => {
    if (paid) onPaid();
  });
}

/**
 * Opens an address in a tab that inherits the signed-in installation, because it returns here; returns whether the
 * browser allowed it.
 */
function followInTab(address: string): boolean {
  const tab = window.open("about:blank", "_blank");
  if (!tab) return false;
  tab.opener = null;
  tab.location.replace(address);
  return true;
}
