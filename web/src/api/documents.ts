import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type DocumentId = Schemas["DocumentId"];
export type Documents = Schemas["DocumentsBody"];
export type Standing = Schemas["DocumentStanding"];
export type VersionHead = Schemas["VersionHead"];

/** The state of the documents, read again whenever one of them has changed. */
export const documentsKey = (projectId: number) => ["planning", projectId, "documents"];

export const documentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: documentsKey(projectId),
    queryFn: () => body(api.GET("/planning/documents")),
  });

/** The state of one of the documents; undefined until it is known. */
export const standingOf = (documents: Documents | undefined, id: DocumentId): Standing | undefined =>
  documents?.documents.find(({ document }) => document === id);

export const versionsQuery = (projectId: number, document: DocumentId) =>
  queryOptions({
    queryKey: [...documentsKey(projectId), document, "versions"],
    queryFn: () =>
      body(api.GET("/planning/documents/{document}/versions", { params: { path: { document } } })),
  });

export const versionQuery = (projectId: number, document: DocumentId, number: number) =>
  queryOptions({
    queryKey: [...documentsKey(projectId), document, "version", number],
    queryFn: () =>
      body(
        api.GET("/planning/documents/{document}/versions/{number}", {
          params: { path: { document, number } },
        }),
      ),
  });

/** Restores an earlier version. */
export const restoreVersion = (document: DocumentId, number: number) =>
  body(
    api.POST("/planning/documents/{document}/versions/{number}/restore", {
      params: { path: { document, number } },
    }),
  );
