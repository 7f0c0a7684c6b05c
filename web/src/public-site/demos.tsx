import { Play, X } from "lucide-react";
import { DEMOS, type Demo } from "./site";

/** The recordings of two deployments. */
export function DemoCards() {
  return (
    <>
      <ul className="grid grid-cols-2 gap-5 max-narrow:grid-cols-1">
        {DEMOS.map((demo) => (
          <li key={demo.id}>
            <DemoCard demo={demo} />
          </li>
        ))}
      </ul>
      <Player />
    </>
  );
}

function DemoCard({ demo }: { demo: Demo }) {
  return (
    <button
      type="button"
      data-demo={demo.id}
      data-title={demo.title}
      data-video={demo.video}
      data-poster={demo.poster}
      data-captions={demo.captions}
      data-note={demo.shortened ? "A recording of Groundcrew itself. The waiting is cut short." : undefined}
      aria-haspopup="dialog"
      className="group flex h-full w-full flex-col overflow-hidden rounded-card border border-line-strong bg-surface text-left transition-colors duration-150 hover:border-ink-3"
    >
      <span className="relative block border-line border-b bg-sunken">
        <img
          src={demo.poster}
          alt=""
          width={960}
          height={600}
          loading="lazy"
          decoding="async"
          className="block h-auto w-full"
        />
        <span aria-hidden className="absolute inset-0 grid place-items-center">
          <span className="grid size-15 place-items-center rounded-full bg-[#17191c]/88 text-[#fffefb] shadow-lg transition-transform duration-150 group-hover:scale-105">
            <Play size={24} fill="currentColor" className="ml-1" />
          </span>
        </span>
        <span
          aria-hidden
          className="absolute right-3 bottom-3 rounded-control bg-[#17191c]/88 px-2 py-0.5 font-[550] text-[#fffefb] text-small"
        >
          {demo.length}
        </span>
      </span>
      <span className="flex flex-1 items-start justify-between gap-4 px-5 py-4">
        <span>
          <span className="block font-[620] font-display text-[17px] leading-snug">
            <span className="sr-only">Watch: </span>
            {demo.title}
          </span>
          <span className="mt-1 block text-ink-2">{demo.text}</span>
        </span>
        <span className="shrink-0 text-right">
          <span className="block font-[640] font-display text-[22px] leading-tight">{demo.cost}</span>
          <span className="block text-ink-2 text-small">{demo.length}</span>
        </span>
      </span>
    </button>
  );
}

/** The modal with the player. Choosing a card inserts the video; until then nothing is loaded. */
function Player() {
  return (
    <dialog
      id="player"
      aria-labelledby="player-title"
      className="m-auto w-[min(1080px,calc(100vw-2rem))] max-w-none rounded-card border border-line-strong bg-surface p-0 text-ink shadow-2xl backdrop:bg-[#0b0d0f]/70"
    >
      <div className="flex items-center justify-between gap-4 px-5 py-3">
        <h2 id="player-title" className="text-lead">
          Demo
        </h2>
        <button
          type="button"
          data-close
          aria-label="Close player"
          className="-mr-1.5 grid size-8 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
        >
          <X size={17} aria-hidden />
        </button>
      </div>
      <div data-stage className="aspect-[16/10] bg-terminal" />
      <p data-note className="px-5 py-2.5 text-ink-2 text-note" />
    </dialog>
  );
}
