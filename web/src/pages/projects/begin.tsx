import { BEGINNINGS, type Deployment } from "../../lib/deployments";

interface BeginProps {
  /** Whether the list above has no projects. */
  first: boolean;
  onChoose: (deployment: Deployment) => void;
  onRepository: () => void;
}

const CARD =
  "flex h-full w-full flex-col rounded-card border border-line bg-surface px-4 py-3 text-left transition-colors duration-150 hover:border-line-strong";

/** Below the projects: deployments to begin with, and a way to begin with existing files. */
export function Begin({ first, onChoose, onRepository }: BeginProps) {
  return (
    <section aria-label="Deployments to begin with" className="mt-8">
      <h2 className="text-lead">{first ? "Or begin with one of these" : "Start from something proven"}</h2>
      <p className="mt-0.5 text-ink-2 text-note">
        Each shows what it usually takes, from the first message to the last check. You can change everything
        in the chat.
      </p>
      <ul className="mt-3.5 grid grid-cols-[repeat(auto-fill,minmax(min(100%,240px),1fr))] gap-3">
        {BEGINNINGS.map((deployment) => (
          <li key={deployment.name}>
            <button type="button" onClick={() => onChoose(deployment)} className={CARD}>
              <span className="font-[560]">{deployment.name}</span>
              <span className="mt-0.5 text-ink-2 text-note">{deployment.wish}</span>
              <span className="mt-auto pt-2 text-ink-3 text-small">
                {deployment.account ? `Needs an account with ${deployment.account}` : "No account needed"}
              </span>
              <span className="text-ink-2 text-small">
                About {deployment.minutes} min · {deployment.cost}
              </span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={onRepository} className={CARD}>
            <span className="font-[560]">From a repository</span>
            <span className="mt-0.5 text-ink-2 text-note">
              Build on Terraform, Ansible or Compose files that you have on GitHub
            </span>
            <span className="mt-auto pt-2 text-ink-2 text-small">You first see what is imported</span>
          </button>
        </li>
      </ul>
    </section>
  );
}
