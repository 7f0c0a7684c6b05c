import { cx } from "../ui/class";
import { Shot, type ShotName } from "./shot";

interface Stop {
  shot: ShotName;
  title: string;
  text: string;
  points: string[];
  alt: string;
}

const STOPS: Stop[] = [
  {
    shot: "requirements",
    title: "Agree on what you need",
    text: "Say it in a sentence. The agent asks for missing details and keeps the list beside the chat until you confirm it.",
    points: ["A document, not a chat log", "A separate, encrypted form for keys"],
    alt: "The requirements stage: a chat with the agent on the left, the agreed requirements on the right",
  },
  {
    shot: "architecture",
    title: "See the plan before anything is built",
    text: "An architect draws the parts and how they communicate. A planner breaks the work into steps and names the files each will leave.",
    points: ["Ask why, or ask for changes", "Nothing is built before you confirm"],
    alt: "The architecture stage: a plan with a diagram of the parts, and the chat with the architect",
  },
  {
    shot: "validation",
    title: "See the proof",
    text: "A validator checks the result as an outsider would, and keeps each check's output. A documenter writes down how to run it.",
    points: ["Checks with real output", "Documentation of what really ran"],
    alt: "The validation stage: checks with their results, and the validator's plan",
  },
];

/** The stages of a project, with real screens. */
export function Tour() {
  return (
    <section
      aria-label="A project, from start to proof"
      className="flex flex-col gap-16 pt-20 max-narrow:gap-12 max-narrow:pt-14"
    >
      {STOPS.map((stop, place) => (
        <div
          key={stop.shot}
          className={cx(
            "grid items-center gap-12 max-wide:gap-6",
            place % 2 === 1
              ? "wide:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]"
              : "wide:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]",
          )}
        >
          <div className={cx(place % 2 === 1 && "wide:order-2")}>
            <h2 className="text-[24px] leading-tight">{stop.title}</h2>
            <p className="mt-2.5 max-w-[48ch] text-[15px] text-ink-2">{stop.text}</p>
            <ul className="mt-4 flex flex-col gap-1.5">
              {stop.points.map((point) => (
                <li key={point} className="flex gap-2.5">
                  <span aria-hidden className="mt-2 h-0.75 w-4 shrink-0 bg-ink-3" />
                  {point}
                </li>
              ))}
            </ul>
          </div>
          <div className="overflow-hidden rounded-card border border-line-strong shadow-[0_20px_40px_-30px_rgb(0_0_0/0.4)]">
            <Shot name={stop.shot} alt={stop.alt} sizes="(max-width: 1100px) calc(100vw - 48px), 630px" />
          </div>
        </div>
      ))}
    </section>
  );
}
