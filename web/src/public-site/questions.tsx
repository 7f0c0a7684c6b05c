const QUESTIONS = [
  {
    question: "What can it touch?",
    answer:
      "Only systems that you give it credentials for. A command that changes something runs once you approve it; one that only reads may run without asking you. Commands run in your project's own sandbox, without access to our systems. Without credentials, it can still build and prove everything inside the sandbox.",
  },
  {
    question: "What happens to my keys?",
    answer:
      "They are sealed with a key management service as you enter them. They are opened only for the run of a command you approved, and masked in its output. Models see only their names.",
  },
  {
    question: "What do I keep?",
    answer:
      "Everything: the Terraform, the Ansible, the Compose files, the scripts and the documentation. Download the workspace as a zip and continue without us whenever you like.",
  },
  {
    question: "What if a step fails?",
    answer:
      "It stops and shows its output. The agent prepares the step again with the error in mind, and you approve that one too, or let it retry automatically.",
  },
  {
    question: "Can it run up a bill?",
    answer:
      "Not with us: credits are prepaid, we start no call that your balance cannot cover, and a project can have a budget at which its agents stop. Your cloud provider bills you directly for servers.",
  },
];

/** Questions that people ask before they sign in. */
export function Questions() {
  return (
    <section className="grid grid-cols-[minmax(0,5fr)_minmax(0,7fr)] gap-12 pt-20 max-wide:grid-cols-1 max-wide:gap-4 max-narrow:pt-14">
      <h2 className="text-[27px] leading-tight">Before you hand over the keys</h2>
      <div className="border-line-strong border-t">
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question} className="group border-line border-b">
            <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-control py-3.5 font-[560] text-[15px]">
              {question}
              <span
                aria-hidden
                className="grid size-5 shrink-0 place-items-center text-[18px] text-ink-2 leading-none transition-transform duration-150 group-open:rotate-45"
              >
                +
              </span>
            </summary>
            <p className="max-w-[60ch] pb-4 text-[15px] text-ink-2">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
