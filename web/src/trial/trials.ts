import type { CredentialNames, Provider } from "../api/credentials";
import type { OpenCommand } from "../api/devops-helper";

/** A service with a call that changes nothing and shows whether a credential is good. */
export type Service = "aws" | "cloudflare" | "digitalocean" | "github" | "hetzner" | "ssh";

interface Known {
  label: string;
  /** A line of its script, by which a trial is recognized. */
  mark: string;
  /** The usual names of its credentials: the first one that a set has is tried. */
  names: string[];
}

export const SERVICES: Record<Service, Known> = {
  aws: {
    label: "AWS",
    mark: "# Asks AWS whose credentials these are. Needs no permission and changes nothing.",
    names: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  },
  cloudflare: {
    label: "Cloudflare",
    mark: "echo 'Cloudflare accepts the token.'",
    names: ["CLOUDFLARE_API_TOKEN"],
  },
  digitalocean: {
    label: "DigitalOcean",
    mark: "echo 'DigitalOcean accepts the token.'",
    names: ["DIGITALOCEAN_TOKEN"],
  },
  github: { label: "GitHub", mark: "echo 'GitHub accepts the token.'", names: ["GITHUB_TOKEN"] },
  hetzner: {
    label: "Hetzner Cloud",
    mark: "echo 'Hetzner Cloud accepts the token.'",
    names: ["HCLOUD_TOKEN"],
  },
  ssh: {
    label: "the server",
    mark: "echo 'The server of ssh/config lets it sign in.'",
    names: ["SSH_PRIVATE_KEY"],
  },
};

export interface Trial {
  service: Service;
  /** The credential that is tried, if only its name says which service it belongs to. */
  name?: string;
}

/** The sets with credentials of any service. */
const MIXED: Provider[] = ["other", "chat"];

/** How a set's credentials can be tried, and the names of those for which no call is known. */
export function trialsOf({ provider, names }: Pick<CredentialNames, "provider" | "names">): {
  trials: Trial[];
  untried: string[];
} {
  const known = Object.keys(SERVICES) as Service[];
  if (MIXED.includes(provider)) {
    const all = known.flatMap((service) => SERVICES[service].names);
    const trials = known.flatMap((service) => {
      const name = SERVICES[service].names.find((name) => names.includes(name));
      return name === undefined ? [] : [{ service, name }];
    });
    return { trials, untried: names.filter((name) => !all.includes(name)) };
  }
  const service = known.find((one) => one === provider);
  if (!service) return { trials: [], untried: names };
  // An SSH password cannot be tried: signing in with it needs a terminal.
  if (service === "ssh" && !names.includes("SSH_PRIVATE_KEY")) return { trials: [], untried: names };
  return {
    trials: [{ service }],
    untried: service === "ssh" ? names.filter((name) => name !== "SSH_PRIVATE_KEY") : [],
  };
}

/** The trial of a service that waits or runs, for example since before the page was loaded. */
export const openTrial = (service: Service, open: readonly OpenCommand[]): OpenCommand | undefined =>
  open.find(({ script }) => script.split("\n").includes(SERVICES[service].mark));
