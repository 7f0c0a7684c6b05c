/**
 * Films what a page shows.
 *
 * Chromium delivers a picture whenever something has changed, so waiting is one long picture: it is cut short, and the
 * comments made along the way become captions on the cut film's own clock.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ffmpeg, picture } from "./encode.ts";

/** How long the film may show no change, in seconds. */
const LONGEST_STILL_S = 1.6;
/** How long the last picture stays, in seconds. */
const END_S = 2.5;
const FRAMES_PER_SECOND = 12;
/** How strongly it is compressed: 0 keeps everything, 63 nothing. */
const CRF = 36;
const POSTER_WIDTH = 960;

/** The pointer, which a browser without a screen does not draw. */
function drawPointer() {
  addEventListener("DOMContentLoaded", () => {
    const arrow = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    arrow.setAttribute("viewBox", "0 0 24 24");
    arrow.setAttribute("aria-hidden", "true");
    arrow.innerHTML =
      '<path d="M4 2.5v17l4.6-4.3 2.9 6.3 3.1-1.4-2.9-6.2h6.2z" fill="#17191c" stroke="#fffefb" stroke-width="1.6"/>';
    Object.assign(arrow.style, {
      position: "fixed",
      width: "26px",
      left: "-40px",
      zIndex: "2147483647",
      pointerEvents: "none",
    });
    document.documentElement.append(arrow);
    addEventListener(
      "mousemove",
      ({ clientX, clientY }) => {
        arrow.style.left = `${clientX - 4}px`;
        arrow.style.top = `${clientY - 2}px`;
      },
      true,
    );
  });
}

/** A picture from Chromium, and its time in seconds since 1970. */
export type Frame = { file: string; at: number };

/** A caption, and its time in seconds since 1970. */
export type Words = { text: string; at: number };

/** Maps a time in the recording to a time in the film, both in seconds. */
export type CutTime = (at: number) => number;

export type Camera = Awaited<ReturnType<typeof film>>;

export async function film(page: Page) {
  await page.addInitScript(drawPointer);
  const folder = await mkdtemp(join(tmpdir(), "groundcrew-film-"));
  const frames: Frame[] = [];
  const words: Words[] = [];
  const writing: Promise<void>[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Page.screencastFrame", ({ data, sessionId, metadata }) => {
    const file = join(folder, `${String(frames.length).padStart(5, "0")}.jpg`);
    frames.push({ file, at: metadata.timestamp ?? Date.now() / 1000 });
    writing.push(writeFile(file, Buffer.from(data, "base64")));
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  let poster: Buffer | undefined;

  return {
    async start() {
      await session.send("Page.startScreencast", {
        format: "jpeg",
        quality: 92,
        maxWidth: 1280,
        maxHeight: 800,
      });
    },
    /** Captions the film from now on. */
    say(text: string) {
      words.push({ text, at: Date.now() / 1000 });
    },
    /** Takes the picture that the page shows before the film plays. */
    async takePoster() {
      poster = await page.screenshot();
    },
    /** Writes `{path}.webm`, `.vtt` and `.avif`; returns the film's length in seconds. */
    async finish(path: string) {
      await session.send("Page.stopScreencast");
      await Promise.all(writing);
      const { list, seconds, cutTime } = cut(frames);
      const file = join(folder, "list.txt");
      await writeFile(file, list);
      await ffmpeg([
        ...["-f", "concat", "-safe", "0", "-i", file, "-vf", `fps=${FRAMES_PER_SECOND},format=yuv420p`],
        ...["-c:v", "libvpx-vp9", "-crf", String(CRF), "-b:v", "0", "-deadline", "good", "-cpu-used", "3"],
        ...["-row-mt", "1", "-g", "240", "-tune-content", "screen", "-an", `${path}.webm`],
      ]);
      await writeFile(`${path}.vtt`, captions(words, cutTime, seconds));
      if (poster) await picture(poster, `${path}.avif`, POSTER_WIDTH);
      await rm(folder, { recursive: true, force: true });
      return seconds;
    },
  };
}

/** How long each picture stays, and the mapping of times to the film. */
function cut(frames: Frame[]) {
  let seconds = 0;
  const starts: { at: number; seconds: number }[] = [];
  const lines = [];
  for (const [place, { file, at }] of frames.entries()) {
    const next = frames[place + 1];
    const stays = next ? Math.min(Math.max(next.at - at, 0.001), LONGEST_STILL_S) : END_S;
    starts.push({ at, seconds });
    lines.push(`file '${file}'`, `duration ${stays.toFixed(4)}`);
    seconds += stays;
  }
  const last = frames.at(-1);
  if (!last) throw new Error("Chromium delivered no picture for the film");
  lines.push(`file '${last.file}'`);
  const cutTime: CutTime = (at) => {
    const shown = starts.filter((start) => start.at <= at).at(-1) ?? starts[0];
    return !shown ? 0 : shown.seconds + Math.min(Math.max(at - shown.at, 0), LONGEST_STILL_S);
  };
  return { list: lines.join("\n"), seconds, cutTime };
}

function captions(words: Words[], cutTime: CutTime, seconds: number) {
  const cues = words.map(({ text, at }, place) => {
    const next = words[place + 1];
    return `${clock(cutTime(at))} --> ${clock(next ? cutTime(next.at) : seconds)}\n${text}\n`;
  });
  return ["WEBVTT\n", ...cues].join("\n");
}

function clock(seconds: number) {
  const whole = Math.floor(seconds);
  const part = (value: number) => String(value).padStart(2, "0");
  const thousandths = String(Math.floor((seconds - whole) * 1000)).padStart(3, "0");
  return `${part(Math.floor(whole / 3600))}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}.${thousandths}`;
}
