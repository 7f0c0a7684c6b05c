import { api, body, type Schemas } from "./client";

/** A part of a message, in UTF-16 code units; `end` is behind its last one. */
export type Range = Schemas["Selection"];
export type Found = Schemas["DraftSecret"];

/** What a person says about the secrets of a message. */
export interface Marks {
  /** Selections that are secret, whatever they look like. */
  secrets: Range[];
  /** Finds that are none. */
  notSecrets: Range[];
}

/** What would be sealed if this message were sent; nothing of it is kept. */
export const draftSecrets = async (message: string, marks: Marks, signal: AbortSignal): Promise<Found[]> => {
  const { found } = await body(
    api.POST("/planning/draft-secrets", {
      body: { message, secrets: marks.secrets, not_secrets: marks.notSecrets },
      signal,
    }),
  );
  return found;
};
