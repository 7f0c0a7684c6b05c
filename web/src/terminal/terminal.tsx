import "@xterm/xterm/css/xterm.css";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { progressKey } from "../api/execution";
import { terminalTicket } from "../api/terminal";
import { checksKey, validationPlanKey } from "../api/validation";
import { Announcer } from "../lib/announcements";
import { passOn, Turn, typingIn } from "./answers";
import { followCommands } from "./commands";
import { type ConnectionState, TerminalConnection } from "./connection";
import { pageKey } from "./keys";
import { MAIN_TERMINAL } from "./messages";
import { openScreen, type Screen } from "./screen";
import { Search } from "./search";
import { WaitingCommands } from "./waiting-commands";

/** How many commands wait above the terminal; the oldest ones go first. */
const WAITING_COMMANDS = 3;

interface TerminalProps {
  projectId: number;
  /** The terminal's name. */
  name?: string;
  onState: (state: ConnectionState, detail: string) => void;
}

/** A terminal in the project's sandbox. It is a leaf: it creates and disposes xterm and the connection. */
export default function SandboxTerminal({ projectId, name = MAIN_TERMINAL, onState }: TerminalProps) {
  const place = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const [screen, setScreen] = useState<Screen>();
  const [searching, setSearching] = useState(false);
  const [waiting, setWaiting] = useState<string[]>([]);
  const hands = useRef<TerminalConnection>(undefined);
  const queries = useQueryClient();

  useEffect(() => {
    if (!place.current) return;
    const screen = openScreen(place.current);
    const { terminal } = screen;
    const wait = (command: string) =>
      setWaiting((known) =>
        [...known.filter((other) => other !== command), command].slice(-WAITING_COMMANDS),
      );
    const turn = new Turn(`groundcrew:terminal:${projectId}:${name}`);
    const connection = connectionOf({ screen, turn, queries, projectId, name, onState, onNotTyped: wait });
    hands.current = connection;
    const left = new AbortController();
    const online = () => connection.hurry();
    terminal.onResize(({ rows, cols }) => connection.resize(rows, cols));
    terminal.attachCustomKeyEventHandler((event) => {
      const key = pageKey(event, terminal.hasSelection());
      if (key === "find") setSearching(true);
      if (key === "leave") leave.current?.focus();
      if (key === "copy") void navigator.clipboard.writeText(terminal.getSelection());
      // Pasting is left to the browser; for the page's other keys the browser's own action is suppressed.
      if (key && key !== "paste") event.preventDefault();
      return key === undefined;
    });
    window.addEventListener("online", online);
    screen.fit();
    connection.start();
    // The server types into only one of the terminals.
    if (name === MAIN_TERMINAL) {
      void followCommands(
        {
          type: (command, after, part) => connection.agentInput(command, after, part),
          run: (command) => connection.runTyped(command),
          onNotice: (text) => notice(screen, text),
          onLost: wait,
        },
        left.signal,
      );
    }
    setScreen(screen);
    return () => {
      window.removeEventListener("online", online);
      left.abort();
      connection.close();
      turn.release();
      screen.dispose();
    };
  }, [queries, projectId, name, onState]);

  const forget = (command: string) => setWaiting((known) => known.filter((other) => other !== command));
  const insert = (command: string) => {
    if (hands.current?.input(command)) forget(command);
    screen?.terminal.focus();
  };

  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-terminal">
      <WaitingCommands commands={waiting} onInsert={insert} onDismiss={forget} />
      {searching && screen && (
        <Search
          screen={screen}
          onClose={() => {
            setSearching(false);
            screen.terminal.focus();
          }}
        />
      )}
      <button
        ref={leave}
        type="button"
        onClick={() => screen?.terminal.focus()}
        className="sr-only focus-visible:not-sr-only focus-visible:absolute focus-visible:top-2 focus-visible:left-3 focus-visible:z-10 focus-visible:rounded-control focus-visible:bg-raised focus-visible:px-3 focus-visible:py-1.5 focus-visible:text-note"
      >
        Enter the terminal (F6 leaves it)
      </button>
      <div ref={place} className="m-3 mr-1 min-h-0 flex-1 overflow-hidden" data-testid="terminal" />
    </div>
  );
}

interface ConnectionOf extends Required<TerminalProps> {
  screen: Screen;
  /** Whether this page answers the terminal's queries. */
  turn: Turn;
  queries: QueryClient;
  onNotTyped: (command: string) => void;
}

/** The connection that draws on this screen. */
function connectionOf({ screen, turn, queries, projectId, name, onState, onNotTyped }: ConnectionOf) {
  const { terminal } = screen;
  const isTyping = typingIn(terminal.element ?? new EventTarget());
  const output = passOn(terminal, turn, (text) => connection.input(text), isTyping);
  const connection = new TerminalConnection({
    terminal: name,
    ticket: terminalTicket,
    connect: (url) => new WebSocket(url),
    size: () => ({ rows: terminal.rows, cols: terminal.cols }),
    onOutput: output.write,
    onState: (state, detail) => {
      if (state === "connecting") output.replaying();
      onState(state, detail);
    },
    onNotice: (text) => notice(screen, text),
    onNotTyped,
    announcer: new Announcer(queries, [
      progressKey(projectId),
      checksKey(projectId),
      validationPlanKey(projectId),
    ]),
  });
  return connection;
}

/** Writes a line of the page, not of the shell. */
const notice = (screen: Screen, text: string) => screen.terminal.write(`\x1b[90m${text}\x1b[0m\r\n`);
