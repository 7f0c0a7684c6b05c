import type { FilesToPush } from "../api/repository";
import { Listing } from "./listing";
import { files, WHY } from "./words";

/** The files that a push leaves out, each with its reason. */
export function StayingFiles({ staying }: Pick<FilesToPush, "staying">) {
  if (staying.length === 0) return null;
  return (
    <Listing
      summary={`${files(staying.length)} ${staying.length === 1 ? "stays" : "stay"} here`}
      rows={staying.map(({ path, why }) => ({ path, note: WHY[why] ?? "left out" }))}
    />
  );
}
