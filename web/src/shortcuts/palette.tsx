import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { projectsQuery } from "../api/projects";
import { followed } from "../lib/follow";
import { projectIdOf } from "../lib/paths";
import { cx } from "../ui/class";
import { Dialog } from "../ui/dialog";
import { found, type Place, places } from "./places";

/** Goes to any place by its name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const projects = useQuery(projectsQuery());
  const navigate = useNavigate();
  const open = projectIdOf(useLocation().pathname);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const shown = found(places(projects.data ?? [], open), typed);
  const go = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    void navigate(place.to);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      const next = (at + step + shown.length) % shown.length;
      setAt(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter") {
      event.preventDefault();
      go(shown[at]);
    }
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div className="flex min-h-0 flex-col px-5 pt-2 pb-5">
        <input
          data-first
          role="combobox"
          aria-label="Where to"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder="A project, a stage or a page"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          className="min-h-10 w-full rounded-control border border-line-strong bg-raised px-3 placeholder:text-ink-3"
        />
        <div id={id} role="listbox" aria-label="Places" className="mt-2 max-h-80 min-h-0 overflow-y-auto">
          {shown.map((place, number) => (
            <Link
              key={place.to}
              id={`${id}-${number}`}
              to={place.to}
              role="option"
              tabIndex={-1}
              aria-selected={number === at}
              onClick={(event) => followed(event) && onClose()}
              className={cx(
                "flex items-baseline justify-between gap-4 rounded-control px-3 py-2 no-underline",
                number === at ? "bg-sunken" : "hover:bg-sunken",
              )}
            >
              <span className="min-w-0 truncate font-[560]">{place.label}</span>
              <span className="max-w-1/2 shrink-0 truncate text-ink-2 text-small">{place.hint}</span>
            </Link>
          ))}
        </div>
        {shown.length === 0 && <p className="px-3 py-2 text-ink-2 text-note">No place has that name.</p>}
      </div>
    </Dialog>
  );
}
