import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useMedia, WIDE } from "../lib/media";
import { browserStorage } from "../lib/storage";
import { readStored } from "../lib/stored";
import { FootPlace } from "./card";
import { cx } from "./class";

/** The range of the divider, in percent of the width that belongs to the main card. */
const MIN_SHARE = 30;
const MAX_SHARE = 75;
const KEY_STEP = 2;

/** A movable separator takes the focus. */
const MOVABLE = { tabIndex: 0 };

interface SplitProps {
  /** The key under which the divider's position is stored. */
  name: string;
  /** The divider's initial position, in percent. */
  share: number;
  main: ReactNode;
  side: ReactNode;
  mainLabel: string;
  sideLabel: string;
}

/**
 * Two cards with a divider that can be dragged or moved with the arrow keys. If there is no room for both, they
 * become two tabs; both stay mounted, so that a reply or a terminal continues in the background.
 *
 * A library would not help here: react-resizable-panels 4 has 17.8 kB gzipped, and it has no tabs in place of two
 * panels, so that the cards would be remounted whenever a window becomes narrow.
 */
export function Split({ name, share: initial, main, side, mainLabel, sideLabel }: SplitProps) {
  const wide = useMedia(WIDE);
  const [share, setShare] = useStoredShare(name, initial);
  const [params, setParams] = useSearchParams();
  const shown = params.get("card") === "side" ? "side" : "main";
  const setShown = (pane: "main" | "side") =>
    setParams(
      (params) => {
        if (pane === "side") params.set("card", pane);
        else params.delete("card");
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  const panes = useRef<HTMLDivElement>(null);
  const hidden = (pane: "main" | "side") => !wide && shown !== pane;
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  return (
    <FootPlace value={wide ? null : foot}>
      <div className="flex flex-1 flex-col">
        {!wide && (
          <nav aria-label="Cards" className="mb-3 flex gap-1 rounded-box bg-sunken p-1">
            <PaneButton label={mainLabel} on={shown === "main"} onClick={() => setShown("main")} />
            <PaneButton label={sideLabel} on={shown === "side"} onClick={() => setShown("side")} />
          </nav>
        )}
        {/* In a low window the page scrolls: less than this is too little for a conversation with its input. */}
        <div ref={panes} className="flex min-h-88 flex-1 basis-0">
          <div
            className={cx("min-h-0 min-w-0", hidden("main") ? "hidden" : "flex *:flex-1")}
            style={{ flex: wide ? `0 1 calc(${share}% - 10px)` : "1 1 100%" }}
          >
            {main}
          </div>
          {wide && <Divider share={share} onMove={setShare} panes={panes} />}
          <div className={cx("min-h-0 min-w-0 flex-1", hidden("side") ? "hidden" : "flex *:flex-1")}>
            {side}
          </div>
        </div>
        {!wide && <div ref={setFoot} className="shrink-0" />}
      </div>
    </FootPlace>
  );
}

function PaneButton({ label, on, onClick }: { label: string; on: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cx(
        "min-h-8 flex-1 truncate rounded-control px-3 font-[550] text-note transition-colors duration-150",
        on ? "bg-raised text-ink shadow-sm" : "text-ink-2 hover:text-ink",
      )}
    >
      {label}
    </button>
  );
}

interface DividerProps {
  share: number;
  onMove: (share: number) => void;
  panes: React.RefObject<HTMLDivElement | null>;
}

function Divider({ share, onMove, panes }: DividerProps) {
  const drag = (event: PointerEvent<HTMLElement>) => {
    const box = panes.current?.getBoundingClientRect();
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) {
      onMove(((event.clientX - box.left) / box.width) * 100);
    }
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP, Home: -100, End: 100 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(share + step);
  };
  return (
    <hr
      {...MOVABLE}
      aria-label="Divider between the cards"
      aria-orientation="vertical"
      aria-valuenow={Math.round(share)}
      aria-valuemin={MIN_SHARE}
      aria-valuemax={MAX_SHARE}
      onKeyDown={move}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      className="relative m-0 h-auto w-5 shrink-0 cursor-col-resize touch-none self-stretch rounded-control border-0 after:absolute after:inset-x-2.25 after:top-1/2 after:h-10 after:-translate-y-1/2 after:rounded-full after:transition-colors after:duration-150 hover:after:bg-line-strong active:after:bg-ink-3"
    />
  );
}

function useStoredShare(name: string, initial: number): [number, (share: number) => void] {
  const key = `groundcrew:split:${name}`;
  const [share, setShare] = useState(() => {
    const stored = readStored(browserStorage, key);
    return typeof stored === "number" ? within(stored) : initial;
  });
  return [
    share,
    (next) => {
      browserStorage.setItem(key, JSON.stringify(within(next)));
      setShare(within(next));
    },
  ];
}

const within = (share: number) => Math.min(MAX_SHARE, Math.max(MIN_SHARE, share));
