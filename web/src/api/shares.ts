import { queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { API_BASE, api, body, done, type Schemas } from "./client";
import type { paths } from "./schema";

export type Share = Schemas["Share"];
export type SharedTimeline = Schemas["SharedTimeline"];

const sharesKey = (projectId: number) => ["projects", projectId, "shares"];

/** The links to a project's timeline that have not ended, newest first. */
export const sharesQuery = (projectId: number) =>
  queryOptions({
    queryKey: sharesKey(projectId),
    queryFn: () => body(api.GET("/projects/{id}/shares", { params: { path: { id: projectId } } })),
  });

/** Creates a link; only this answer contains its address. */
export const makeShare = (projectId: number, request: Schemas["NewShare"]) =>
  body(api.POST("/projects/{id}/shares", { params: { path: { id: projectId } }, body: request }));

export const withdrawShare = (projectId: number, id: string) =>
  done(api.DELETE("/projects/{id}/shares/{share_id}", { params: { path: { id: projectId, share_id: id } } }));

/** Calls of a visitor: they carry no session and do not depend on one. */
const visitor = createClient<paths>({ baseUrl: API_BASE, credentials: "omit" });

/** The timeline that a link shows. */
export const sharedTimelineQuery = (key: string) =>
  queryOptions({
    queryKey: ["shared", key],
    queryFn: () => body(visitor.GET("/shared/timeline", { params: { header: { "Share-Key": key } } })),
  });
