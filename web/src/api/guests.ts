import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type Guest = Schemas["Guest"];
export type Admission = Schemas["Admission"];

export const guestsKey = ["github", "guests"] as const;

/** The guests of the person's own account; other callers are refused. */
export const guestsQuery = () =>
  queryOptions({ queryKey: guestsKey, queryFn: () => body(api.GET("/github/guests")) });

export const choosePolicy = (policy: Admission) => body(api.PUT("/github/guests", { body: { policy } }));

/** Allows or refuses one guest; refusing also signs them out. */
export const decide = ({ guest, admission }: { guest: number; admission: Admission }) => {
  const params = { path: { user_id: guest } };
  return body(
    admission === "allowed"
      ? api.PUT("/github/guests/{user_id}", { params })
      : api.DELETE("/github/guests/{user_id}", { params }),
  );
};
