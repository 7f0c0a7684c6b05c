/** Build-time settings of the public pages. */

const env = import.meta.env as Record<string, string | undefined>;

/** The site's address without a trailing slash; undefined unless the build sets it. */
export const ORIGIN = env.VITE_SITE_URL?.replace(/\/+$/, "") || undefined;

/** The contact address for visitors. */
export const CONTACT = env.VITE_CONTACT_EMAIL || "support@groundcrew.example";

export interface Demo {
  id: string;
  title: string;
  text: string;
  /** How long the deployment took, `minutes:seconds`. */
  length: string;
  cost: string;
  video: string;
  poster: string;
  /** The captions, as WebVTT; only the project's own recordings have them. */
  captions: string | undefined;
  /** Whether waiting times are shortened, as in the project's own recordings. */
  shortened: boolean;
}

const own = (name: string) => ({
  video: `/demos/${name}.webm`,
  poster: `/demos/${name}.avif`,
  captions: `/demos/${name}.vtt`,
});

function demo(number: 1 | 2, name: string, card: Pick<Demo, "title" | "text" | "length" | "cost">): Demo {
  const video = env[`VITE_DEMO_${number}_VIDEO`];
  const poster = env[`VITE_DEMO_${number}_POSTER`];
  const recording = own(name);
  return {
    id: name,
    ...card,
    video: video || recording.video,
    poster: poster || recording.poster,
    captions: video ? undefined : recording.captions,
    shortened: !video,
  };
}

/** The two recorded deployments. */
export const DEMOS: readonly [Demo, Demo] = [
  demo(1, "web-service", {
    title: "A web service with a health check",
    text: "From one sentence to a service that answers: every step approved, run and proven in the sandbox.",
    length: "24:16",
    cost: "$4.18",
  }),
  demo(2, "monitoring", {
    title: "A monitoring stack, planned",
    text: "Prometheus, Grafana and alerts for a server: the requirements, the architecture and the plan.",
    length: "45:00",
    cost: "$6.60",
  }),
];
