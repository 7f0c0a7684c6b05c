const ESC = "\x1b";
const BEL = "\x07";
/** Escape sequences: control (`ESC [ … m`), operating system (`ESC ] … BEL`) and single ones. */
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[@-Z\\\\-_])`,
  "g",
);

/** A command's output as plain text: without colors, and with the last state of each rewritten line. */
export function plainOutput(output: string): string {
  const text = output.replace(SEQUENCES, "").replace(/\r+\n/g, "\n");
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1))
    .join("\n");
}
