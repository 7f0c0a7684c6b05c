import { type FilesConnection, isProblem } from "./connection";

/**
 * Whether there is already something at a path; also if it cannot be read. Without the sandbox this is not known, and
 * saving finds it out.
 */
export async function isTaken(
  connection: Pick<FilesConnection, "read"> | undefined,
  path: string,
): Promise<boolean> {
  try {
    return (await connection?.read(path)) !== undefined;
  } catch (error) {
    return !isProblem(error, "not_found") && !isProblem(error, "unavailable");
  }
}
