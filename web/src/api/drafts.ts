import { api, body, type Schemas } from "./client";

/** A part of a message, in UTF-16 code units; `end` is exclusive. */
export type Range = Schemas["Selection"];
export type Found = Schemas["DraftSecret"];

/** The author's corrections about the secrets of a message. */
export interface Marks {
  /** Selections that are secret, even if they were not found. */
  secrets: Range[];
  /** Finds that are not secret. */
  notSecrets: Range[];
}

export const UNMARKED: Marks = { secrets: [], notSecrets: [] };

/**
 * The parts of this message that would be sealed; the server does not store the message.
 *
 * @param project the project in which it is typed; only the pages of a project name it with every call
 */
export const draftSecrets = async (
  message: string,
  marks: Marks,
  project: number | undefined,
  signal: AbortSignal,
): Promise<Found[]> => {
  const { found } = await body(
    api.POST("/planning/draft-secrets", {
      body: { message, secrets: marks.secrets, not_secrets: marks.notSecrets },
      headers: project === undefined ? {} : { "Project-Id": String(project) },
      signal,
    }),
  );
  return found;
};
