import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { awaitsPayment } from "../lib/credits-modal";
import { saveAs } from "../lib/save";
import { answer, api, body, type Schemas } from "./client";

export type Credits = Schemas["Credits"];
export type Transaction = Schemas["Transaction"];
export type TransactionStatus = Transaction["status"];

/** How often a visible balance is read again, in milliseconds. */
const CREDITS_POLL_MS = 10_000;
/** How often the transactions are read again while a payment may arrive, in milliseconds. */
const PAYMENT_POLL_MS = 5_000;
const PAGE_ENTRIES = 50;

export const creditsKey = ["user", "credits"] as const;

export const fetchCredits = () => body(api.GET("/user/credits"));

/** The balance; read more often while a payment may arrive. */
export const creditsQuery = () =>
  queryOptions({
    queryKey: creditsKey,
    queryFn: fetchCredits,
    refetchInterval: () => (awaitsPayment() ? PAYMENT_POLL_MS : CREDITS_POLL_MS),
    refetchIntervalInBackground: true,
  });

interface TransactionPage {
  entries: Transaction[];
  next: string | undefined;
}

/** All transactions, newest first, a page at a time; polled while a payment may arrive. */
export const transactionsQuery = () =>
  infiniteQueryOptions({
    queryKey: ["user", "transactions"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => transactionPage(pageParam),
    getNextPageParam: (page) => page.next,
    refetchInterval: () => (awaitsPayment() ? PAYMENT_POLL_MS : false),
    // The payer is in another tab, so this one is hidden.
    refetchIntervalInBackground: true,
  });

async function transactionPage(cursor: string | undefined): Promise<TransactionPage> {
  const query = { limit: PAGE_ENTRIES, ...(cursor ? { cursor } : {}) };
  const { data, headers } = await answer(api.GET("/user/transactions", { params: { query } }));
  return { entries: data, next: headers.get("Next-Cursor") ?? undefined };
}

/** Saves all transactions as a table. */
export async function downloadTransactions() {
  saveAs("groundcrew-transactions.csv", await body(api.GET("/user/transactions/csv", { parseAs: "blob" })));
}
