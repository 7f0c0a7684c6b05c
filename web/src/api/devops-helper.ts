import { api, body, type Schemas } from "./client";

export const HELPER_CHAT = "/devops-helper/chat";

/** Lets a command of the helper run, or turns it down; the digest is of the script that was on the screen. */
export const decideCommand = (decision: Schemas["CommandDecision"]) =>
  body(api.POST("/devops-helper/approve-command", { body: decision }));
