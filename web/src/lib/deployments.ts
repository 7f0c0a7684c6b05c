/** Proven deployments: the cost of each from the first message to the last check, at preview rates. */
export interface Deployment {
  name: string;
  minutes: number;
  cost: string;
  /** The provider with whom the user needs an account; none for what runs in the sandbox. */
  account?: string;
  /** The first message for it. */
  wish: string;
}

export const DEPLOYMENTS: Deployment[] = [
  {
    name: "Basic VPS",
    minutes: 14,
    cost: "$2.00",
    account: "Hetzner Cloud",
    wish: "A hardened Debian server at Hetzner Cloud with SSH access",
  },
  {
    name: "VPS with MySQL",
    minutes: 25,
    cost: "$4.00",
    account: "Hetzner Cloud",
    wish: "A server at Hetzner Cloud with MySQL and nightly backups",
  },
  {
    name: "VPS with PostgreSQL",
    minutes: 32,
    cost: "$4.50",
    account: "Hetzner Cloud",
    wish: "A server at Hetzner Cloud with PostgreSQL and nightly backups",
  },
  {
    name: "ELK",
    minutes: 40,
    cost: "$7.00",
    account: "Hetzner Cloud",
    wish: "An ELK stack (Elasticsearch, Logstash, Kibana) on a server at Hetzner Cloud",
  },
  {
    name: "EC2 with SSH",
    minutes: 16,
    cost: "$3.60",
    account: "AWS",
    wish: "An EC2 server at AWS with SSH access",
  },
  {
    name: "Monitoring stack",
    minutes: 24,
    cost: "$4.00",
    account: "Hetzner Cloud",
    wish: "A monitoring stack with Prometheus, Grafana and alerts on a server at Hetzner Cloud",
  },
];

/** What needs nothing but a sandbox. */
const IN_SANDBOX: Deployment = {
  name: "Web service in the sandbox",
  minutes: 1,
  cost: "$0.50",
  wish: "A small web service with a health check inside the sandbox itself",
};

/** What a project can begin with, first what anyone can build at once. */
export const BEGINNINGS: readonly Deployment[] = [IN_SANDBOX, ...DEPLOYMENTS];
