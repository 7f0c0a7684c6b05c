import type { ReactNode } from "react";
import { Pill } from "../ui/pill";
import { Scroll } from "../ui/scroll";

const LINES: [string, string][] = [
  ["Network app_default ", "Created     0.1s"],
  ["Volume  app_pgdata  ", "Created     0.0s"],
  ["Container app-db-1  ", "Healthy     5.9s"],
  ["Container app-web-1 ", "Healthy     6.4s"],
];

/** A running step, as the product shows it. */
export function DemoStep() {
  return (
    <figure
      aria-label="A step of an execution at work"
      className="overflow-hidden rounded-card border border-line-strong shadow-[0_30px_60px_-30px_rgb(0_0_0/0.45)]"
    >
      <figcaption className="flex items-center justify-between gap-3 border-line border-b bg-raised px-4 py-3">
        <span className="truncate">
          <span className="mr-2.5 font-[600]">Step 4</span>Start PostgreSQL and the app
        </span>
        <Pill tone="ok">completed</Pill>
      </figcaption>
      <Scroll label="Its output" className="overflow-x-auto bg-terminal px-4.5 py-4 max-narrow:px-3.5">
        <pre className="font-mono text-[#e4e4e4] text-note leading-[1.65] max-narrow:text-tiny">
          <Dim>$</Dim> docker compose up -d --wait{"\n"}
          {LINES.map(([what, how]) => (
            <span key={what}>
              {" "}
              <span className="text-[#5fd08f]">✔</span> {what}
              <span className="max-narrow:hidden">{"    "}</span> {how.slice(0, 7)}
              <Dim>{how.slice(7)}</Dim>
              {"\n"}
            </span>
          ))}
          <Dim>$</Dim> curl -fsS https://app.example.com/healthz{"\n"}
          {'{"ok":true,"db":"17.2"}'}
          {"\n"}
          <span className="-ml-0.5 inline-block h-4 w-1 bg-signal align-text-bottom" />
          <Dim> exit 0 · 7.8 s · approved 9f2c…71ae</Dim>
        </pre>
      </Scroll>
    </figure>
  );
}

function Dim({ children }: { children: ReactNode }) {
  return <span className="text-[#949494]">{children}</span>;
}
