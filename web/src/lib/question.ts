const QUESTION = /^The agent asks: ([\s\S]+?) Answer in the chat, then start this again\.$/;

/** The question in an error with which work ended because its agent has to know something first. */
export const questionIn = (error: string | null | undefined): string | undefined =>
  QUESTION.exec(error ?? "")?.[1];
