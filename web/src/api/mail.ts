import { queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { API_BASE, api, body, done, type Schemas } from "./client";
import type { paths } from "./schema";

export type Mail = Schemas["MailBody"];

export const mailKey = ["user", "mail"] as const;

/** Whether the person gets mail when it is their turn, and at which address. */
export const mailQuery = () =>
  queryOptions({ queryKey: mailKey, queryFn: () => body(api.GET("/user/mail")) });

/** Sends a link to an address, which confirms the address. */
export const nameAddress = (address: string) => body(api.PUT("/user/mail", { body: { address } }));

export const confirmAddress = (token: string) => body(api.POST("/user/mail/confirm", { body: { token } }));

export const forgetAddress = () => done(api.DELETE("/user/mail"));

/** Calls of a reader who may not be signed in: they need only the letter's key. */
const reader = createClient<paths>({ baseUrl: API_BASE, credentials: "omit" });

export const unsubscribe = (key: string) =>
  done(reader.POST("/user/mail/unsubscribe", { params: { query: { key } } }));
