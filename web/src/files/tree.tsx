import { ChevronRight, File, FileSymlink, FileX2, Folder, FolderOpen } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { size } from "../lib/bytes";
import { useNow } from "../lib/now";
import { changedAge } from "../lib/time";
import { cx } from "../ui/class";
import { Skeleton } from "../ui/states";
import type { EntryRow, NoteRow, Row } from "./rows";
import { treeMove } from "./rows";

interface TreeProps {
  rows: Row[];
  /** The entry with the keyboard's focus; the first one by default. */
  selected: string;
  /** The file that is shown next to the tree. */
  shown: string | undefined;
  unsaved: readonly string[];
  onSelect: (path: string) => void;
  onToggle: (path: string, open: boolean) => void;
  onOpen: (path: string) => void;
}

/**
 * The workspace as a tree: one stop for Tab, arrows inside it, Enter opens, letters jump.
 *
 * A library would not help here: headless-tree has 6.3 kB gzipped (react-arborist 40.8) and replaces only the keys and
 * the focus, 60 lines here and in `treeMove`. Folders that load when they open, notes between the entries, unsaved
 * files and the rows themselves would stay our own.
 */
export function Tree({ rows, selected, shown, unsaved, onSelect, onToggle, onOpen }: TreeProps) {
  const list = useRef<HTMLDivElement>(null);
  const entries = rows.filter((row) => row.row === "entry");
  const stop = entries.find((row) => row.path === selected)?.path ?? entries[0]?.path;
  const focus = (path: string) => {
    onSelect(path);
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus();
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || stop === undefined) return;
    const move = treeMove(rows, stop, event.key);
    if (!move) return;
    event.preventDefault();
    if ("to" in move) focus(move.to);
    else if ("open" in move) onOpen(move.open);
    else if ("expand" in move) onToggle(move.expand, true);
    else onToggle(move.collapse, false);
  };
  if (entries.length === 0) {
    return (
      <div className="min-h-0 flex-1 overflow-auto py-1.5">
        {rows.map((row) =>
          row.row === "note" && row.note === "loading" ? (
            <TreeSkeleton key={row.path} />
          ) : row.row === "note" ? (
            <Note key={`${row.path}/:${row.note}`} row={row} />
          ) : null,
        )}
      </div>
    );
  }
  return (
    <div
      ref={list}
      role="tree"
      aria-label="Workspace files"
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain py-1.5"
    >
      {rows.map((row) =>
        row.row === "note" ? (
          <Note key={`${row.path}/:${row.note}`} row={row} />
        ) : (
          <Item
            key={row.path}
            row={row}
            stop={row.path === stop}
            shown={row.path === shown}
            unsaved={unsaved.includes(row.path)}
            onKeyDown={key}
            onPress={() => {
              focus(row.path);
              if (row.expanded === undefined) onOpen(row.path);
              else onToggle(row.path, !row.expanded);
            }}
          />
        ),
      )}
    </div>
  );
}

/** The indentation of each level, in pixels, and that of the first one. */
const STEP_PX = 16;
const START_PX = 10;
const indent = (level: number) => ({ paddingLeft: START_PX + (level - 1) * STEP_PX });

interface ItemProps {
  row: EntryRow;
  stop: boolean;
  shown: boolean;
  unsaved: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  onPress: () => void;
}

function Item({ row, stop, shown, unsaved, onKeyDown, onPress }: ItemProps) {
  const now = useNow();
  const Icon = iconOf(row);
  return (
    <div
      role="treeitem"
      data-path={row.path}
      tabIndex={stop ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.expanded}
      aria-selected={shown}
      onClick={onPress}
      onKeyDown={onKeyDown}
      style={indent(row.level)}
      className={cx(
        "flex h-8 cursor-pointer items-center gap-1.5 pr-3.5 text-note focus-visible:-outline-offset-2",
        shown ? "bg-sunken font-[550] text-ink" : "text-ink hover:bg-sunken/60",
      )}
    >
      <ChevronRight
        size={13}
        aria-hidden
        className={cx(
          "shrink-0 text-ink-3 transition-transform duration-150 ease-out",
          row.expanded === undefined && "invisible",
          row.expanded && "rotate-90",
        )}
      />
      <Icon size={15} aria-hidden className="shrink-0 text-ink-2" />
      <span className="min-w-0 truncate">{row.name}</span>
      {unsaved && (
        <span className="ml-0.5 size-1.75 shrink-0 rounded-full bg-ink-2" title="Unsaved changes">
          <span className="sr-only"> unsaved changes</span>
        </span>
      )}
      <span className="ml-auto shrink-0 pl-3 text-ink-3 text-tiny tabular-nums">
        <span className="@max-[420px]:hidden">{changedAge(row.modified, now)}</span>
        {row.kind === "file" && <span className="inline-block w-16 text-right">{size(row.bytes)}</span>}
        {row.kind === "link" && <span className="inline-block w-16 text-right">link</span>}
      </span>
    </div>
  );
}

function iconOf(row: EntryRow) {
  switch (row.kind) {
    case "directory":
      return row.expanded ? FolderOpen : Folder;
    case "link":
      return FileSymlink;
    case "file":
      return File;
    default:
      return FileX2;
  }
}

function TreeSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading files...</span>
      {["w-20", "w-32", "w-16", "w-24"].map((width) => (
        <div key={width} style={indent(1)} className="flex h-8 items-center gap-2 pr-3.5">
          <Skeleton className="ml-5 size-4 shrink-0" />
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
    </div>
  );
}

function Note({ row }: { row: NoteRow }) {
  return (
    <p
      role={row.note === "problem" ? "alert" : undefined}
      style={indent(row.level)}
      className={cx(
        "flex min-h-8 items-center pr-3.5 text-note",
        row.note === "problem" ? "text-bad" : "text-ink-3",
        row.note === "loading" && "animate-breathe",
      )}
    >
      <span className="pl-5">{row.text}</span>
    </p>
  );
}
