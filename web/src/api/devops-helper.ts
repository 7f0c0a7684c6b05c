import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas, text } from "./client";
import { statusNamed } from "./execution";
import { outputOf } from "./output";

export const HELPER_CHAT = "/devops-helper/chat";

export type OpenCommand = Schemas["ProposedCommand"];

/** How often open commands are read again, in milliseconds. */
const OPEN_POLL_MS = 2_000;

export const openCommandsKey = (projectId: number) => ["devops-helper", projectId, "commands"];

/** The helper's waiting and running commands, newest first; polled as long as there are any. */
export const openCommandsQuery = (projectId: number) =>
  queryOptions({
    queryKey: openCommandsKey(projectId),
    queryFn: () => body(api.GET("/devops-helper/commands")),
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.length ? OPEN_POLL_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
  });

const readOutput = (number: number) =>
  text(
    api.GET("/devops-helper/output/{step_number}", {
      params: { path: { step_number: number } },
      parseAs: "text",
    }),
  );

/** The whole output of a command. */
export const commandOutputQuery = (projectId: number, number: number, live: boolean) =>
  outputOf({
    queryKey: ["devops-helper", projectId, "output", number],
    read: () => readOutput(number),
    listKey: openCommandsKey(projectId),
    listed: (client) =>
      client
        .getQueryData<OpenCommand[]>(openCommandsKey(projectId))
        ?.find((command) => command.number === number)?.status,
    live,
  });

/** The state and output of a command without a stream; read once more when it ends. */
export const commandStateQuery = (projectId: number, number: number, open: OpenCommand | undefined) =>
  queryOptions({
    queryKey: ["devops-helper", projectId, "state", number, open ? "open" : "ended"],
    queryFn: async () => {
      const { text: output, headers } = await readOutput(number);
      return { output, status: statusNamed(headers.get("Step-Status")) };
    },
    enabled: open?.status !== "waiting_approval",
    refetchInterval: open?.status === "in_progress" ? OPEN_POLL_MS : false,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Approves or rejects a command of the helper; the digest is that of the script on the screen. */
export const decideCommand = (decision: Schemas["CommandDecision"]) =>
  body(api.POST("/devops-helper/approve-command", { body: decision }));

/** A command that checks whether a provider's credentials are good; it waits for its owner. */
export const tryCredentials = (provider: Schemas["Provider"], name?: string) =>
  body(api.POST("/devops-helper/try-credentials", { body: { provider, name: name ?? null } }));

/** Cancels a running command. */
export const cancelCommand = (name: Schemas["CommandName"]) =>
  body(api.POST("/devops-helper/cancel-command", { body: name }));
