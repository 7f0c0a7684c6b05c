import { api, body } from "./client";

/** A single-use ticket for one terminal connection; it is good for half a minute. */
export const terminalTicket = () => body(api.POST("/terminal/ticket"));
