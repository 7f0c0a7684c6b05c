import { Circle, CircleCheck } from "lucide-react";
import { Button } from "../ui/button";
import type { Needed } from "./needed";

interface ChecklistProps {
  needed: Needed[];
  onEnter: (needed: Needed) => void;
}

/** The credentials that the requirements name: which are given, and how to get the others. */
export function Checklist({ needed, onEnter }: ChecklistProps) {
  return (
    <section aria-label="Credentials that the requirements name" className="mb-4">
      <h3 className="mb-1.5 text-base">The requirements name</h3>
      <ul className="rounded-box border border-line">
        {needed.map((one) => (
          <li
            key={one.name}
            className="flex items-start gap-2.5 border-line border-b px-3.5 py-2.5 last:border-0"
          >
            {one.given ? (
              <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-ok" />
            ) : (
              <Circle size={16} aria-hidden className="mt-0.5 shrink-0 text-signal-text" />
            )}
            <div className="min-w-0 flex-1 text-note">
              <p>
                <code className="wrap-anywhere font-mono text-small">{one.name}</code>{" "}
                <span className={one.given ? "text-ok" : "text-signal-text"}>
                  {one.given ? "given" : "missing"}
                </span>
              </p>
              {!one.given && (
                <p className="text-ink-2 text-small">
                  {one.link ? (
                    <a
                      href={one.link}
                      target="_blank"
                      rel="noreferrer"
                      className="underline decoration-line-strong underline-offset-3 hover:decoration-current"
                    >
                      {one.where}
                    </a>
                  ) : (
                    one.where
                  )}
                  . {one.rights}
                </p>
              )}
            </div>
            {!one.given && (
              <Button size="small" aria-label={`Enter ${one.name}`} onClick={() => onEnter(one)}>
                Enter
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
