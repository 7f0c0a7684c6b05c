import { cx } from "./class";
import { Scroll } from "./scroll";

interface CodeProps {
  label: string;
  text: string;
  /** Whether it has been read before, so that the content below matters more. */
  short?: boolean;
}

/** A script or an output, unchanged, in a box that scrolls. */
export function Code({ label, text, short }: CodeProps) {
  return (
    <Scroll
      label={label}
      className={cx(
        "overflow-auto rounded-control border border-line-strong/70 bg-sunken px-3 py-2.5",
        short ? "max-h-30" : "max-h-72",
      )}
    >
      <pre className="font-mono text-small leading-[1.55]">{text}</pre>
    </Scroll>
  );
}
