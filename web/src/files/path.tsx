import { ChevronLeft } from "lucide-react";
import { foldersTo, nameOf } from "./rows";

const CRUMB = "min-h-8 rounded-control px-1 text-ink-2 hover:text-ink";

interface PathProps {
  path: string;
  /** Whether its last part is the shown file rather than a folder. */
  isFile: boolean;
  onShow: (folder: string) => void;
}

/** The current place in the workspace; each part links to its folder. */
export function Path({ path, isFile, onShow }: PathProps) {
  const folders = isFile || path === "" ? foldersTo(path) : [...foldersTo(path), path];
  return (
    <nav aria-label="Path" className="flex min-w-0 items-center text-note">
      {isFile && (
        <button
          type="button"
          aria-label="Back to the files"
          onClick={() => onShow(folders.at(-1) ?? "")}
          className="-ml-1.5 grid size-8 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink @min-[700px]:hidden"
        >
          <ChevronLeft size={16} aria-hidden />
        </button>
      )}
      <ol className="-ml-1 flex min-w-0 items-center">
        <li className="min-w-0 shrink-0">
          <button type="button" onClick={() => onShow("")} className={CRUMB}>
            workspace
          </button>
        </li>
        {folders.map((folder) => (
          <li key={folder} className="flex min-w-8 shrink-[99] items-center">
            <Slash />
            <button type="button" onClick={() => onShow(folder)} className={`${CRUMB} truncate`}>
              {nameOf(folder)}
            </button>
          </li>
        ))}
        {isFile && (
          <li aria-current="page" className="flex min-w-0 items-center">
            <Slash />
            <span className="truncate px-1 font-[550]">{nameOf(path)}</span>
          </li>
        )}
      </ol>
    </nav>
  );
}

const Slash = () => (
  <span aria-hidden className="text-ink-3">
    /
  </span>
);
