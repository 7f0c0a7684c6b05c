import { Fragment } from "react";
import { parseFlow } from "./flow";
import { Scroll } from "./scroll";

/** The parts of a system as boxes with labeled lines between them. */
export function Flow({ text }: { text: string }) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (
    <Scroll
      label="Diagram"
      className="my-2 flex flex-col gap-3 overflow-x-auto rounded-box border border-line bg-sunken p-3.5"
    >
      {lines.map((line) => (
        <div key={line} role="img" aria-label={line} className="flex min-w-max items-center">
          {parseFlow(line).map((node, index) => (
            <Fragment key={`${node.via}-${node.name}`}>
              {index > 0 && (
                <span className="mx-2.5 min-w-14 flex-1 border-line-strong border-b text-center text-ink-3 text-tiny">
                  {node.via ?? "\u00a0"}
                  <span className="block h-0.5" />
                </span>
              )}
              <span className="rounded-control border border-line-strong bg-raised px-3 py-1.5 text-center">
                <span className="block font-[600] font-display text-small">{node.name}</span>
                {node.note && <span className="block text-ink-3 text-tiny">{node.note}</span>}
              </span>
            </Fragment>
          ))}
        </div>
      ))}
    </Scroll>
  );
}
