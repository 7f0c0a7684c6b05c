import { counted } from "./text";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A date in the form of a project card. */
export function shortDate(time: string): string {
  return new Date(time).toLocaleDateString("en-US", { year: "numeric", month: "short", day: "numeric" });
}

/** When the workspace was last backed up, in words. */
export function backupAge(time: string | null | undefined, now = Date.now()): string {
  if (!time) return "Never backed up";
  const age = now - new Date(time).getTime();
  if (Number.isNaN(age)) return "Never backed up";
  if (age < MINUTE_MS) return "Just now";
  if (age < HOUR_MS) return count(Math.floor(age / MINUTE_MS), "minute");
  if (age < DAY_MS) return count(Math.floor(age / HOUR_MS), "hour");
  const days = Math.floor(age / DAY_MS);
  if (days === 1) return "Yesterday";
  if (days < 7) return count(days, "day");
  return shortDate(time);
}

/** How long ago a document changed, short enough for a pill. */
export function updatedAge(time: Date, now = Date.now()): string {
  const age = now - time.getTime();
  if (age < MINUTE_MS) return "updated just now";
  if (age < HOUR_MS) return `updated ${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `updated ${Math.floor(age / HOUR_MS)} h ago`;
  return `updated ${time.toLocaleDateString("en-US", { month: "short", day: "numeric" })}`;
}

/** A point in time for people, in the reader's own time zone. */
export function dayAndTime(time: string): string {
  return new Date(time).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
}

/** Points in time for people; those that share a minute with another show their seconds. */
export function daysAndTimes(times: readonly string[]): string[] {
  const minutes = times.map(dayAndTime);
  return times.map((time, at) => {
    const shown = minutes[at] ?? "";
    const shared = minutes.indexOf(shown) !== minutes.lastIndexOf(shown);
    return shared
      ? new Date(time).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "medium" })
      : shown;
  });
}

/** How long ago a file changed, short enough for a line of a list. */
export function changedAge(time: string, now = Date.now()): string {
  const at = new Date(time).getTime();
  if (Number.isNaN(at)) return "";
  const age = now - at;
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return new Date(at).toLocaleDateString("en-US", { month: "short", day: "numeric", year: "numeric" });
}

/** A duration with a sensible precision: `<0.1 s`, `2.1 s`, `48 s`, `1 m 12 s`, `2 h 5 m`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 0.05) return "<0.1 s";
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

function count(number: number, unit: string): string {
  return `${counted(number, unit)} ago`;
}

/** The time since a start, to the second: `0:07`, `12:40`, `1:02:03`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
