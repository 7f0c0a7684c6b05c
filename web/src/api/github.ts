import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";
import { json } from "./plain";

export type User = Schemas["UserProfile"];

export const userQuery = () =>
  queryOptions({
    queryKey: ["github", "user"],
    queryFn: () => body(api.GET("/github/user")),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface LoggedOut {
  /** The code host's own logout page. */
  logout_url?: string;
}

/** Ends this session, or every session of this person. */
export const logout = (everywhere: boolean) =>
  json<LoggedOut | undefined>(everywhere ? "/github/logout-everywhere" : "/github/logout", {
    method: "POST",
  });

/** An installation that a person who is signing in can work in. */
export interface OfferedInstallation {
  installation_id: number;
  account: string;
  account_type: "User" | "Organization";
  avatar_url: string | null;
  suspended: boolean;
}

/** The installations to choose among; only while a sign-in is under way. */
export const offeredInstallations = () => json<OfferedInstallation[]>("/github/installations");

export const chooseInstallation = (id: number) =>
  json<{ installation_id: number }>("/github/installations", {
    method: "POST",
    body: { installation_id: id },
  });
