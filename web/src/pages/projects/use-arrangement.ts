import { useState } from "react";
import { useSearchParams } from "react-router";
import { asOrder, type Order } from "./arrange";

/** The search and the order, kept in the address: a reload, and Back from a project, restore them. */
export function useArrangement() {
  const [params, setParams] = useSearchParams();
  // The address follows a moment later; the field shows typed text at once.
  const [search, setSearch] = useState(params.get("search") ?? "");
  const set = (name: string, value: string) =>
    setParams(
      (params) => {
        if (value === "") params.delete(name);
        else params.set(name, value);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    search,
    order: asOrder(params.get("sort")),
    archived: params.get("archived") === "1",
    setArchived: (archived: boolean) => set("archived", archived ? "1" : ""),
    setSearch: (search: string) => {
      setSearch(search);
      set("search", search);
    },
    setOrder: (order: Order) => set("sort", order === "updated" ? "" : order),
  };
}
