import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type FileKind = Schemas["FileKind"];
export type FilesToImport = Schemas["FilesToImport"];
export type FilesToPush = Schemas["FilesToPush"];
export type GitHubRepository = Schemas["GitHubRepository"];
export type GitHubRepositories = Schemas["GitHubRepositories"];
export type Origin = Schemas["Origin"];
export type PushResult = Schemas["PushResult"];
export type Stays = Schemas["Stays"];

const at = (projectId: number) => ({ params: { path: { id: projectId } } });

/** What a project has pushed. */
export const pushesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["projects", projectId, "repository"],
    queryFn: () => body(api.GET("/projects/{id}/repository", at(projectId))),
  });

/** The repositories that the app can access on GitHub. People may return from GitHub's pages with more of them. */
export const repositoriesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["projects", projectId, "repositories"],
    queryFn: () => body(api.GET("/projects/{id}/repositories", at(projectId))),
    refetchOnWindowFocus: "always",
  });

/** The same for a project that does not exist yet. */
export const installationRepositoriesQuery = () =>
  queryOptions({
    queryKey: ["repositories"],
    queryFn: () => body(api.GET("/repositories")),
    refetchOnWindowFocus: "always",
  });

/** The branches of a repository. */
export const branchesQuery = (repository: string) =>
  queryOptions({
    queryKey: ["repositories", repository],
    queryFn: async () => {
      const found = await body(api.GET("/repositories", { params: { query: { repository } } }));
      return found.repositories[0]?.branches ?? { names: [], more: false };
    },
  });

/** The files of a branch with which a project would begin. */
export function filesToImport(repository: string, branch: string) {
  const [owner = "", name = ""] = repository.split("/");
  const params = { path: { owner, name }, query: { branch } };
  return body(api.GET("/repositories/{owner}/{name}/files", { params }));
}

/** Creates a project with the files that were shown. */
export const importFiles = (projectId: number, { repository, branch, commit, files_sha256 }: FilesToImport) =>
  body(
    api.POST("/projects/{id}/repository/import", {
      ...at(projectId),
      body: { repository, branch, commit, files_sha256 },
    }),
  );

/** Backs the workspace up and shows what a push of it would carry, and what it would change in the repository. */
export const filesToPush = (projectId: number, repository: string) =>
  body(
    api.POST("/projects/{id}/repository/files", {
      params: { path: { id: projectId }, query: { repository } },
    }),
  );

/** Pushes the files that were shown. */
export const push = (
  projectId: number,
  repository: string,
  { backup_id, files_sha256, text_sha256, there }: FilesToPush,
) =>
  body(
    api.POST("/projects/{id}/repository/push", {
      ...at(projectId),
      body: { repository, backup_id, files_sha256, text_sha256, deleted: there?.deleted ?? null },
    }),
  );
