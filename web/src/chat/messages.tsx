import { CircleAlert, FileText } from "lucide-react";
import { memo } from "react";
import { ShortageAction } from "../credits/shortage-notice";
import { numbered } from "../lib/numbered";
import { Button } from "../ui/button";
import { InlineCode } from "../ui/inline-code";
import { Markdown } from "../ui/markdown";
import { SecretText } from "../ui/secret-text";
import { CommandCard } from "./command-card";
import type { ChatMessage } from "./turn";

interface MessageProps {
  message: ChatMessage;
  agentName: string;
  /** Whether this reply is being written. */
  pending: boolean;
  /** Sends the unanswered message again; only set if that can help. */
  onRetry?: (() => void) | undefined;
}

/** One message; completed ones are not drawn again while a reply grows below them. */
export const Message = memo(function Message({ message, agentName, pending, onRetry }: MessageProps) {
  if (message.role === "user") {
    return (
      <div className="flex justify-end">
        <div className="max-w-[min(85%,46rem)] rounded-box rounded-br-[3px] border border-line bg-sunken px-3 py-2.25">
          <span className="sr-only">You: </span>
          <Typed text={message.content} />
        </div>
      </div>
    );
  }
  return (
    <div>
      <p className="label mb-1 flex items-center gap-1.75">
        <span aria-hidden className="size-4 rounded-[5px] bg-signal" />
        {agentName}
      </p>
      {message.failed ? <Failed message={message} onRetry={onRetry} /> : <Reply message={message} />}
      {pending && message.content === "" && !message.commands && (
        <p className="animate-breathe text-ink-2">Thinking...</p>
      )}
      <Notes notes={notesOf(message)} />
      {message.shortage && (
        <div className="mt-2 flex flex-wrap gap-2">
          <ShortageAction missing={message.shortage} />
          {onRetry && (
            <Button size="small" onClick={onRetry}>
              Send it again
            </Button>
          )}
        </div>
      )}
      {message.problem && <p className="mt-1 text-bad text-note">{message.problem}</p>}
    </div>
  );
});

/** Takes the place of a reply that failed. */
function Failed({ message, onRetry }: { message: ChatMessage; onRetry: (() => void) | undefined }) {
  return (
    <div className="flex w-fit max-w-[46rem] flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control bg-bad-wash py-1.5 pr-1.5 pl-3 text-bad">
      <p className="flex items-center gap-2 py-0.5">
        <CircleAlert size={15} aria-hidden className="shrink-0" />
        {message.content}
      </p>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Send it again
        </Button>
      )}
    </div>
  );
}

/** The agent's text, with its commands at the positions where they arrived. */
function Reply({ message }: { message: ChatMessage }) {
  const commands = message.commands ?? [];
  const ends = [...commands.map((command) => command.at), message.content.length];
  return ends.map((end, place) => {
    const said = message.content.slice(ends[place - 1] ?? 0, end);
    const command = commands[place];
    return (
      <div key={command?.number ?? "last"}>
        {said.trim() !== "" && (
          <div className="max-w-[46rem] pr-6">
            <Markdown text={said} />
          </div>
        )}
        {command && <CommandCard command={command} />}
      </div>
    );
  });
}

/** What a person typed; its secrets have been replaced by names. */
function Typed({ text }: { text: string }) {
  return (
    <p dir="auto" className="prose-crew whitespace-pre-wrap">
      <SecretText text={text} />
    </p>
  );
}

/** The tools that it used, except for commands, which are shown in full. */
function notesOf({ notes, commands = [] }: ChatMessage): string[] {
  return notes.filter((note) => !commands.some(({ number }) => note.startsWith(`Command ${number} `)));
}

/** A short description of each tool that the agent used. */
function Notes({ notes }: { notes: string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {numbered(notes).map(({ key, item }) => (
        <li
          key={key}
          className="inline-flex items-center gap-1.5 rounded-control border border-line bg-raised px-2.5 py-1 text-ink-2 text-small"
        >
          <FileText size={13} aria-hidden className="shrink-0" />
          <span className="min-w-0 break-words">
            <InlineCode text={item} />
          </span>
        </li>
      ))}
    </ul>
  );
}
