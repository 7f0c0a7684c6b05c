import type { Schemas } from "../api/client";
import { dayAndTime } from "../lib/time";
import { files } from "./words";

/** Earlier pushes, newest first. */
export function Pushes({ pushes }: { pushes: Schemas["Push"][] }) {
  if (pushes.length === 0) {
    return <p className="px-4.5 py-4 text-ink-2 text-note">Nothing has been pushed yet.</p>;
  }
  return (
    <section aria-labelledby="pushes">
      <h3 id="pushes" className="label px-4.5 pt-4 pb-1">
        Pushes
      </h3>
      <ul>
        {pushes.map((push) => (
          <li
            key={push.at}
            className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4.5 py-2 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <p className="font-[550] [overflow-wrap:anywhere]">
                Change {push.change} to {push.repository}
              </p>
              <p className="text-ink-2 text-note">
                {files(push.files)} by @{push.by.login} · {dayAndTime(push.at)}
              </p>
            </div>
            {push.pull_request && (
              <a href={push.pull_request.url} target="_blank" rel="noreferrer" className="text-note">
                Pull request #{push.pull_request.number}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
