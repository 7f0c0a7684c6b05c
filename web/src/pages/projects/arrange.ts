/** Selects and orders the projects of the list. */
import type { Project } from "../../api/projects";
import { searchable } from "../../lib/text";

export const ORDERS = {
  updated: "Last updated",
  created: "Created",
  name: "Name",
} as const;

export type Order = keyof typeof ORDERS;

export const asOrder = (value: string | null): Order =>
  value !== null && Object.hasOwn(ORDERS, value) ? (value as Order) : "updated";

/** The projects whose name or description contains every word of the search, in order. */
export function arranged<P extends Project>(projects: readonly P[], search: string, order: Order): P[] {
  const words = searchable(search).split(/\s+/).filter(Boolean);
  const found = projects.filter(({ name, description }) => {
    const text = searchable(`${name} ${description ?? ""}`);
    return words.every((word) => text.includes(word));
  });
  return found.sort((a, b) => {
    if (order === "name") return a.name.localeCompare(b.name, "en", { numeric: true, sensitivity: "base" });
    const key = order === "created" ? "created_at" : "updated_at";
    return b[key].localeCompare(a[key]);
  });
}
