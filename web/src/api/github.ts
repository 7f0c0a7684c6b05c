import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type User = Schemas["UserProfile"];

export const userQuery = () =>
  queryOptions({
    queryKey: ["github", "user"],
    queryFn: () => body(api.GET("/github/user")),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Ends this session, or every session of this person; says where the code host's own logout page is. */
export const logout = (everywhere: boolean) =>
  body(everywhere ? api.POST("/github/logout-everywhere") : api.POST("/github/logout"));

/** Deletes the account that has this name; says where the code host's own logout page is. */
export const deleteAccount = (login: string) =>
  body(api.DELETE("/github/user", { params: { query: { login } } }));

/** An installation that a person who is signing in can work in. */
export type OfferedInstallation = Schemas["InstallationOffer"];

/** The installations to choose among; only while a sign-in is under way. */
export const offeredInstallations = () => body(api.GET("/github/installations"));

export const chooseInstallation = (id: number) =>
  body(api.POST("/github/installations", { body: { installation_id: id } }));
