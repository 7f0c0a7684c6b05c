import type { Origin } from "../api/repository";
import { dayAndTime } from "../lib/time";
import { files, kinds } from "./words";

/** The repository whose files the project began with. */
export function RepositoryOrigin({ origin }: { origin: Origin }) {
  return (
    <section aria-labelledby="beginning" className="border-line border-b px-4.5 py-4">
      <h3 id="beginning" className="label pb-1">
        Began with
      </h3>
      <p className="font-[550] [overflow-wrap:anywhere]">
        {origin.repository}, branch {origin.branch}, commit{" "}
        <span className="font-mono text-small">{origin.commit.slice(0, 7)}</span>
      </p>
      <p className="text-ink-2 text-note">
        {files(origin.files.length)} ({kinds(origin.files)}) by @{origin.by.login} · {dayAndTime(origin.at)}
      </p>
    </section>
  );
}
