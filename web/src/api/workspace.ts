import { openAddress, saveAs } from "../lib/save";
import { API_BASE, type Schemas } from "./client";
import { ApiError } from "./errors";
import { callHeaders } from "./headers";

/** Called with the number of bytes received so far. */
export type OnBytes = (received: number) => void;

/** Downloads the workspace as a zip and saves it as `{projectId}-working-directory.zip`. */
export const downloadWorkspace = (projectId: number, onBytes: OnBytes) =>
  download(`/projects/${projectId}/workspace/download`, `${projectId}-working-directory.zip`, onBytes);

/** The sandbox's user, from whose name the folder follows, is unknown. */
export class NoProjectPath extends Error {
  constructor() {
    super("Failed to determine project path");
    this.name = "NoProjectPath";
  }
}

/** Downloads the sandbox user's project folder; the file is named after the installation and the project. */
export function downloadFolder(username: string, onBytes: OnBytes) {
  const [, installation, project] = username.split("_");
  if (!installation || !project) throw new NoProjectPath();
  const path = encodeURIComponent(`/home/${username}/workspace/`);
  return download(`/workspace/folder_download?path=${path}`, `user_${installation}_${project}.zip`, onBytes);
}

async function download(path: string, name: string, onBytes: OnBytes) {
  const response = await fetch(`${API_BASE}${path}`, { headers: callHeaders(path) });
  if (!response.ok) throw new ApiError(response, parsed(await response.text()));
  if (response.headers.get("Content-Type")?.startsWith("application/json")) {
    const { url }: Schemas["ZipAddress"] = await response.json();
    return openAddress(url);
  }
  saveAs(name, await received(response, onBytes));
}

/** Reads the body as it arrives; refuses one that ends early. */
async function received(response: Response, onBytes: OnBytes): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    parts.push(read.value);
    bytes += read.value.length;
    onBytes(bytes);
  }
  const expected = response.headers.get("Content-Length");
  if (expected && !response.headers.has("Content-Encoding") && Number(expected) !== bytes) {
    throw new Error("The download broke off.");
  }
  return new Blob(parts, { type: "application/zip" });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
