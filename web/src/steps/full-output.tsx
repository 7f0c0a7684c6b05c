import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { OutputQuery } from "../api/output";
import { plainOutput } from "../lib/ansi";
import { saveAs } from "../lib/save";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Scroll } from "../ui/scroll";
import { Problem } from "../ui/states";
import { useCopy } from "../ui/use-copy";

const HINT =
  "Terminal output appears in this window only after commands complete. If no new output is shown, the AI agent might be executing commands.";

interface FullOutputProps {
  /** The source of the output: "step 3", "command 2". */
  of: string;
  /** The part that the card already has; shown until the whole output has loaded. */
  shown: string;
  /** Whether the card has only its beginning and its end. */
  shortened: boolean;
  /** Whether more may follow. */
  live: boolean;
  whole: OutputQuery;
  onClose: () => void;
}

export function FullOutput({ of, shown, shortened, live, whole: query, onClose }: FullOutputProps) {
  const box = useRef<HTMLDivElement>(null);
  const whole = useQuery({ ...query, enabled: shortened || live });
  const text = whole.data === undefined || whole.data.length < shown.length ? shown : plainOutput(whole.data);
  return (
    <Dialog title="Full Output" description={HINT} wide onClose={onClose}>
      <div className="min-h-0 flex-1 px-5 pt-3">
        {whole.isError && shortened && (
          <div className="mb-3">
            <Problem>
              The whole output could not be loaded. What follows is its beginning and its end.
            </Problem>
          </div>
        )}
        <Scroll
          ref={box}
          label={`Full output of ${of}`}
          className="max-h-[60dvh] min-h-40 overflow-auto rounded-control bg-terminal px-3.5 py-3"
        >
          <pre className="font-mono text-[#e4e4e4] text-small leading-[1.55]">{text}</pre>
        </Scroll>
      </div>
      <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
        <Button onClick={() => box.current?.scrollTo({ top: box.current.scrollHeight })}>To the end</Button>
        <Button
          onClick={() =>
            saveAs(`output-of-${of.replace(" ", "-")}.txt`, new Blob([text], { type: "text/plain" }))
          }
        >
          Download
        </Button>
        <CopyToClipboard text={text} />
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

const COPY_LABELS = { copied: "Copied", refused: "Copying is not allowed here" };

function CopyToClipboard({ text }: { text: string }) {
  const [outcome, copy] = useCopy(text);
  return <Button onClick={copy}>{outcome ? COPY_LABELS[outcome] : "Copy to Clipboard"}</Button>;
}
