import { queryOptions } from "@tanstack/react-query";
import { takeAnswered } from "../lib/session";
import { api, body, type Schemas } from "./client";

export type User = Schemas["UserProfile"];

export const userQuery = () =>
  queryOptions({
    queryKey: ["github", "user"],
    queryFn: async () => (takeAnswered() as User | undefined) ?? body(api.GET("/github/user")),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Ends this session, or every session of this person; returns the address of the code host's logout page. */
export const logout = (everywhere: boolean) =>
  body(everywhere ? api.POST("/github/logout-everywhere") : api.POST("/github/logout"));

/** Deletes the account with this name; returns the address of the code host's logout page. */
export const deleteAccount = (login: string) =>
  body(api.DELETE("/github/user", { params: { query: { login } } }));

/** An installation that a person can choose during sign-in. */
export type OfferedInstallation = Schemas["InstallationOffer"];

/** The installations to choose from; only during sign-in. */
export const offeredInstallations = () => body(api.GET("/github/installations"));

export const chooseInstallation = (id: number) =>
  body(api.POST("/github/installations", { body: { installation_id: id } }));
