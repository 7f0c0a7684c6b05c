/** Renders the public pages as documents. Runs when the site is built, never in a browser. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Document, type Meta } from "./document";
import { Landing } from "./landing";
import { Pricing } from "./pricing";
import { Privacy } from "./privacy";
import { RefundPolicy } from "./refund-policy";
import { ORIGIN } from "./site";
import { Terms } from "./terms";

interface Page extends Meta {
  Body: () => ReactNode;
}

const PAGES: Record<string, Page> = {
  "/": {
    title: "Groundcrew: Build Apps, Not Infrastructure",
    description:
      "Describe what you need. A crew of agents plans it, writes the Terraform and the Ansible, and runs it in your own sandbox, one approved step at a time.",
    Body: Landing,
  },
  "/pricing": {
    title: "Pricing · Groundcrew",
    description:
      "Pay for what the agents read and write, from a prepaid balance: $5 per million input tokens and $20 per million output tokens. Credits never expire.",
    Body: Pricing,
  },
  "/terms": {
    title: "Terms of service · Groundcrew",
    description: "The terms under which Groundcrew, a research preview, may be used.",
    Body: Terms,
  },
  "/privacy": {
    title: "Privacy policy · Groundcrew",
    description: "What Groundcrew keeps about you, who else sees it, and what it does not do.",
    Body: Privacy,
  },
  "/refund-policy": {
    title: "Refund policy · Groundcrew",
    description:
      "All payments are final and non-refundable; credits never expire. What to do when something went wrong.",
    Body: RefundPolicy,
  },
};

/** The page at an address, as HTML. */
export function renderPage(path: string): string {
  const page = PAGES[path];
  if (!page) throw new Error(`There is no public page at ${path}`);
  const { Body, ...meta } = page;
  const document = (
    <Document path={path} {...meta}>
      <Body />
    </Document>
  );
  return `<!doctype html>\n${renderToStaticMarkup(document)}\n`;
}

/** Files for crawlers. A sitemap needs the site's address, so there is none without it. */
export function siteFiles(): Record<string, string> {
  const rules = ["User-agent: *", "Disallow: /api/", "Disallow: /app", "Disallow: /github-"];
  if (!ORIGIN) return { "robots.txt": `${rules.join("\n")}\n` };
  const pages = Object.keys(PAGES).map((path) => `  <url><loc>${ORIGIN}${path}</loc></url>`);
  return {
    "robots.txt": `${[...rules, "", `Sitemap: ${ORIGIN}/sitemap.xml`].join("\n")}\n`,
    "sitemap.xml": [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...pages,
      "</urlset>",
      "",
    ].join("\n"),
  };
}
