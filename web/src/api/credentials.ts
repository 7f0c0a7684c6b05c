import { queryOptions } from "@tanstack/react-query";
import { api, body, done, type Schemas } from "./client";
import { isStatus } from "./errors";

/** The provider of credentials; those of `chat` were found in messages. */
export type Provider = Schemas["Provider"];

/** The names of a provider's credentials; the server never returns their values. */
export type CredentialNames = Schemas["CredentialNames"];

export const credentialsKey = (projectId: number) => ["planning", projectId, "credentials"];

/** The names of the project's credentials; null if the server has none. */
export const credentialsQuery = (projectId: number) =>
  queryOptions({
    queryKey: credentialsKey(projectId),
    queryFn: async (): Promise<CredentialNames[] | null> => {
      try {
        return await body(api.GET("/planning/credentials"));
      } catch (error) {
        if (isStatus(error, 404) || isStatus(error, 405)) return null;
        throw error;
      }
    },
  });

/** Replaces a provider's credentials, or only those with the same names. */
export const keepCredentials = (provider: Provider, values: Record<string, string>, keep_others: boolean) => {
  const params = { path: { provider } };
  return done(api.PUT("/planning/credentials/{provider}", { params, body: { values, keep_others } }));
};

export const forgetCredentials = (provider: Provider) =>
  done(api.DELETE("/planning/credentials/{provider}", { params: { path: { provider } } }));
