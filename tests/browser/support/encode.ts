/** Encodes pictures and films in the web's formats, with Debian's ffmpeg. */
import { spawn } from "node:child_process";

const FFMPEG = process.env.GROUNDCREW_FFMPEG ?? "ffmpeg";

/**
 * Runs ffmpeg to its end.
 * @param input the data for its standard input
 */
export async function ffmpeg(options: string[], input?: Buffer) {
  const child = spawn(FFMPEG, ["-hide_banner", "-loglevel", "error", "-y", ...options], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  child.stdin.on("error", () => {});
  const code = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  child.stdin.end(input);
  if ((await code) !== 0) throw new Error(`ffmpeg ${options.join(" ")}\n${log}`);
}

/** How strongly a picture is compressed: 0 keeps everything, 63 nothing. */
const AVIF_CRF = 30;
const WEBP_QUALITY = 78;

/**
 * Writes a PNG as AVIF or WebP, depending on the file's extension.
 * @param width in pixels
 */
export function picture(png: Buffer, file: string, width: number) {
  const scale = ["-vf", `scale=${width}:-2:flags=lanczos`];
  const coded = file.endsWith(".avif")
    ? [
        "-c:v",
        "libaom-av1",
        "-still-picture",
        "1",
        "-crf",
        String(AVIF_CRF),
        "-cpu-used",
        "4",
        "-pix_fmt",
        "yuv444p",
      ]
    : ["-c:v", "libwebp", "-quality", String(WEBP_QUALITY)];
  return ffmpeg(["-f", "png_pipe", "-i", "-", ...scale, ...coded, "-frames:v", "1", file], png);
}
