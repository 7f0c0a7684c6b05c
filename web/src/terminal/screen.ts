/** xterm with this product's configuration; one component creates and disposes it. */
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";

const MIN_COLS = 2;
const MIN_ROWS = 1;
const SCROLLBACK_LINES = 1_000;

export interface Screen {
  terminal: Terminal;
  search: SearchAddon;
  fit: () => void;
  dispose: () => void;
}

export function openScreen(element: HTMLElement): Screen {
  const terminal = new Terminal({
    cols: 80,
    rows: 24,
    scrollback: SCROLLBACK_LINES,
    fontFamily: '"Geist Mono", ui-monospace, monospace',
    fontSize: 12.5,
    lineHeight: 1.2,
    screenReaderMode: false,
    allowProposedApi: true,
    theme: THEME,
  });
  const fitting = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fitting);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon());
  terminal.open(element);
  accelerate(terminal);

  const fit = () => {
    const size = fitting.proposeDimensions();
    if (!size || Number.isNaN(size.cols) || Number.isNaN(size.rows)) return;
    const cols = Math.max(MIN_COLS, size.cols);
    const rows = Math.max(MIN_ROWS, size.rows);
    if (element.offsetWidth > 0 && (cols !== terminal.cols || rows !== terminal.rows))
      terminal.resize(cols, rows);
  };
  const resized = new ResizeObserver(fit);
  resized.observe(element);
  return {
    terminal,
    search,
    fit,
    dispose: () => {
      resized.disconnect();
      terminal.dispose();
    },
  };
}

/**
 * Draws on the graphics card if there is one; otherwise xterm uses the DOM. In the DOM its cursor blinks by an
 * animation, for which the browser draws frame after frame, and the echo of a key waits for one of them: it takes 15 ms
 * longer to appear. So the cursor blinks only on the graphics card, where a timer does it.
 */
function accelerate(terminal: Terminal) {
  try {
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => {
      terminal.options.cursorBlink = false;
      webgl.dispose();
    });
    terminal.loadAddon(webgl);
    terminal.options.cursorBlink = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  } catch (error) {
    console.info("The terminal is drawn without WebGL", error);
  }
}

const THEME = {
  background: "#1e1e1e",
  foreground: "#e4e4e4",
  cursor: "#e4e4e4",
  cursorAccent: "#1e1e1e",
  selectionBackground: "#4a5568",
  black: "#1e1e1e",
  red: "#ff7a70",
  green: "#5fd08f",
  yellow: "#e8c26a",
  blue: "#6ea8ff",
  magenta: "#d69bff",
  cyan: "#5cc8d6",
  white: "#d8d8d8",
  brightBlack: "#8a8a8a",
  brightRed: "#ff9a92",
  brightGreen: "#7fe3a9",
  brightYellow: "#f5d689",
  brightBlue: "#8fbcff",
  brightMagenta: "#e2b8ff",
  brightCyan: "#84dbe6",
  brightWhite: "#ffffff",
};
