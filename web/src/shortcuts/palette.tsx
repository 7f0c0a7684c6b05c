import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { projectsQuery } from "../api/projects";
import { paths, projectIdOf } from "../lib/paths";
import { isPlainClick } from "../lib/plain-click";
import { cx } from "../ui/class";
import { Dialog } from "../ui/dialog";
import { useActions } from "./actions";
import { type Action, type Entry, found, type Place, pages, places } from "./places";

interface PaletteProps {
  onClose: () => void;
  onHelp: () => void;
}

const OPTION =
  "flex w-full items-baseline justify-between gap-4 rounded-control px-3 py-2 text-left no-underline";

/** Goes to any place, or does something, by its name. */
export default function Palette({ onClose, onHelp }: PaletteProps) {
  const projects = useQuery(projectsQuery());
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const actions = useActions(onHelp);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const all: (Place | Action)[] = [
    ...places(projects.data ?? [], projectIdOf(pathname)),
    ...pages(pathname === paths.projects() ? search : ""),
    ...actions,
  ];
  const shown = found(all, typed);
  const go = (entry: Place | Action | undefined) => {
    if (!entry) return;
    onClose();
    // A dialog that the action opens returns the focus to where this one has put it.
    if ("run" in entry) requestAnimationFrame(() => setTimeout(entry.run));
    else void navigate(entry.to);
  };
  const press = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return onClose();
    }
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
          placeholder="A project, a stage, a page or an action"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          className="min-h-10 w-full rounded-control border border-line-strong bg-raised px-3 placeholder:text-ink-3"
        />
        <div id={id} role="listbox" aria-label="Places" className="mt-2 max-h-80 min-h-0 overflow-y-auto">
          {shown.map((entry, number) => {
            const shared = {
              id: `${id}-${number}`,
              role: "option",
              tabIndex: -1,
              "aria-selected": number === at,
              className: cx(OPTION, number === at ? "bg-sunken" : "hover:bg-sunken"),
            };
            return "run" in entry ? (
              <button key={entry.label} type="button" {...shared} onClick={() => go(entry)}>
                <Line {...entry} />
              </button>
            ) : (
              <Link
                key={entry.to}
                {...shared}
                to={entry.to}
                onClick={(event) => isPlainClick(event) && onClose()}
              >
                <Line {...entry} />
              </Link>
            );
          })}
        </div>
        {shown.length === 0 && <p className="px-3 py-2 text-ink-2 text-note">No matches.</p>}
      </div>
    </Dialog>
  );
}

function Line({ label, hint }: Entry) {
  return (
    <>
      <span className="min-w-0 truncate font-[560]">{label}</span>
      <span className="max-w-1/2 shrink-0 truncate text-ink-2 text-small">{hint}</span>
    </>
  );
}
