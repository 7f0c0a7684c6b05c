import type { Provider } from "../api/credentials";
import type { OpenCommand } from "../api/devops-helper";

/** Providers with a call that changes nothing and shows whether their credentials are good: a line of its script. */
export const TRIALS: Partial<Record<Provider, string>> = {
  aws: "# Asks AWS whose credentials these are. Needs no permission and changes nothing.",
  digitalocean: "echo 'DigitalOcean accepts the token.'",
  hetzner: "echo 'Hetzner Cloud accepts the token.'",
};

/** The trial of a provider's credentials that waits or runs, for example since before the page was loaded. */
export function openTrial(provider: Provider, open: readonly OpenCommand[]): OpenCommand | undefined {
  const mark = TRIALS[provider];
  return open.find(({ script }) => mark !== undefined && script.split("\n").includes(mark));
}
