import type { ReactNode } from "react";
import { ORIGIN } from "./site";

export interface Meta {
  title: string;
  description: string;
}

interface DocumentProps extends Meta {
  path: string;
  children: ReactNode;
}

/** Fonts of the first screen; the monospaced font may load a moment later. */
const FONTS = [
  "/node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2",
  "/node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
];

/** A complete public page. */
export function Document({ path, title, description, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {ORIGIN && <link rel="canonical" href={ORIGIN + path} />}
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Groundcrew" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {ORIGIN && <meta property="og:url" content={ORIGIN + path} />}
        <meta property="og:image" content={`${ORIGIN ?? ""}/social.png`} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content="Build Apps, Not Infrastructure" />
        <meta name="twitter:card" content="summary_large_image" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f6f5f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1013" media="(prefers-color-scheme: dark)" />
        {/* Not a module: it runs before anything is drawn. */}
        <script src="/theme.js" />
        <link rel="icon" type="image/svg+xml" href="/mark.svg" />
        {FONTS.map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={font} />
        ))}
        <link rel="stylesheet" href="/src/index.css" />
        <script type="module" src="/src/public-site/script/main.ts" />
      </head>
      <body>{children}</body>
    </html>
  );
}
