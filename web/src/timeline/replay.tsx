import { Pause, Play, SkipBack, SkipForward, X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { AuditEntry } from "../api/audit";
import { dayAndTime } from "../lib/time";
import { Button } from "../ui/button";
import { Days, happeningKey, Row } from "./days";
import type { Day, Happening } from "./events";
import { inOrder, standingAt } from "./moments";

/** How long each moment is shown while the replay plays, in milliseconds. */
const MOMENT_MS = 2_000;

/** The parameter that holds the moment, counted from 1: a reload and a link keep it. */
const PARAMETER = "replay";

/** The place of a replay, and the button that opens it. */
interface Replaying {
  /** The moment, from 1; 0 if the replay is closed. */
  at: number;
  go: (at: number) => void;
  opener: RefObject<HTMLButtonElement | null>;
}

/** Where the replay is. */
export function useReplay(): Replaying {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const opener = useRef<HTMLButtonElement>(null);
  const at = Number(new URLSearchParams(search).get(PARAMETER));
  const go = (next: number) => {
    const params = new URLSearchParams(search);
    if (next > 0) params.set(PARAMETER, String(next));
    else params.delete(PARAMETER);
    // Opening it is a step for Back; moving in it is not.
    void navigate({ search: params.toString(), hash }, { replace: at > 0, preventScrollReset: true });
  };
  return { at: Number.isSafeInteger(at) && at > 0 ? at : 0, go, opener };
}

interface ReplayButtonProps {
  replay: Replaying;
  disabled?: boolean;
}

/** Opens the replay, or closes it. */
export function ReplayButton({ replay: { at, go, opener }, disabled = false }: ReplayButtonProps) {
  return (
    <Button
      ref={opener}
      size="small"
      className="print:hidden"
      disabled={disabled}
      aria-expanded={at > 0}
      onClick={() => go(at > 0 ? 0 : 1)}
    >
      <Play size={14} aria-hidden /> Replay
    </Button>
  );
}

interface DaysOrReplayProps {
  replay: Replaying;
  days: Day[];
  printed: (entry: AuditEntry) => ReactNode;
}

/** The days of a project, or the moment of its replay. */
export function DaysOrReplay({ replay: { at, go, opener }, days, printed }: DaysOrReplayProps) {
  if (at === 0) return <Days days={days} printed={printed} />;
  const move = (to: number) => {
    if (to === 0) opener.current?.focus();
    go(to);
  };
  return <Replay days={days} printed={printed} at={at} onGo={move} />;
}

interface ReplayProps {
  days: Day[];
  printed: (entry: AuditEntry) => ReactNode;
  at: number;
  onGo: (at: number) => void;
}

/** The timeline from its first moment on: one decision, version or change at a time. */
function Replay({ days, printed, at, onGo }: ReplayProps) {
  const moments = inOrder(days);
  const last = moments.length;
  const place = Math.min(at, last);
  const moment = moments[place - 1];
  const [playing, setPlaying] = useState(false);
  const plays = playing && place < last;
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => onGo(place + 1), MOMENT_MS);
    return () => clearTimeout(timer);
  });
  const move = (to: number) => {
    setPlaying(false);
    onGo(Math.min(Math.max(to, 1), last));
  };
  const play = () => {
    if (place === last) onGo(1);
    setPlaying(!plays);
  };
  if (!moment) return null;
  return (
    <section aria-label="Replay" className="mt-6">
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <Button size="small" kind="plain" autoFocus onClick={play}>
          {plays ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          {plays ? "Pause" : "Play"}
        </Button>
        <Button size="small" aria-disabled={place === 1} onClick={() => move(place - 1)}>
          <SkipBack size={14} aria-hidden /> Previous
        </Button>
        <Button size="small" aria-disabled={place === last} onClick={() => move(place + 1)}>
          Next <SkipForward size={14} aria-hidden />
        </Button>
        <Place place={place} last={last} moment={moment} onMove={move} />
        <Button size="small" kind="quiet" onClick={() => onGo(0)}>
          <X size={14} aria-hidden /> Close the replay
        </Button>
      </div>
      <h2 aria-live={plays ? "off" : "polite"} className="mt-3 font-normal font-sans text-ink-2 text-note">
        {place} of {last} · {dayAndTime(moment.at)}
      </h2>
      <ul className="mt-1.5 rounded-card border border-line bg-surface">
        <Row key={happeningKey(moment)} happening={moment} printed={printed} opened />
      </ul>
      <Standing before={moments.slice(0, place)} />
    </section>
  );
}

interface PlaceProps {
  place: number;
  last: number;
  moment: Happening;
  onMove: (to: number) => void;
}

/** The slider that leads to any moment. */
function Place({ place, last, moment, onMove }: PlaceProps) {
  const id = useId();
  return (
    <span className="flex min-w-40 flex-1 items-center">
      <label htmlFor={id} className="sr-only">
        Moment
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={last}
        value={place}
        aria-valuetext={`${place} of ${last}, ${dayAndTime(moment.at)}`}
        onChange={(event) => onMove(Number(event.target.value))}
        className="min-h-8 w-full cursor-pointer accent-ink"
      />
    </span>
  );
}

/** What existed at that moment. */
function Standing({ before }: { before: readonly Happening[] }) {
  const facts = standingAt(before);
  return (
    <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1.5 text-note">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-2">
          <dt className="text-ink-2">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
