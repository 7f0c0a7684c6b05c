import { api, body } from "./client";

/** A single-use ticket for one terminal connection, valid for half a minute. */
export const terminalTicket = () => body(api.POST("/terminal/ticket"));
