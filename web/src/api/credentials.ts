import { queryOptions } from "@tanstack/react-query";
import { api, body, done, type Schemas } from "./client";
import { isStatus } from "./errors";

/** Whose credentials they are; those of `chat` were found in what was typed. */
export type Provider = Schemas["Provider"];

/** What a provider's credentials are called; their values never come back. */
export type CredentialNames = Schemas["CredentialNames"];

export const credentialsKey = (projectId: number) => ["planning", projectId, "credentials"];

/** The names of the project's credentials; null where the server keeps none. */
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

/** Gives a provider's credentials, in the place of those it had. */
export const keepCredentials = (provider: Provider, values: Record<string, string>) =>
  done(api.PUT("/planning/credentials/{provider}", { params: { path: { provider } }, body: { values } }));

export const forgetCredentials = (provider: Provider) =>
  done(api.DELETE("/planning/credentials/{provider}", { params: { path: { provider } } }));
