/**
 * Screenshots of the product, taken by `npm run pictures` in tests/browser: one per name, theme, width and format.
 */
const FILES: Record<string, string> = import.meta.glob("./shots/*.{avif,webp}", {
  eager: true,
  import: "default",
  query: "?url",
});

export type ShotName = "requirements" | "architecture" | "execution" | "validation";

/** The original size of the pictures; the smaller widths are scaled down from it. */
const WIDTH = 1600;
const HEIGHT = 1000;
const AVIF_WIDTHS = [800, WIDTH];

interface ShotProps {
  name: ShotName;
  alt: string;
  /** The width on the page, as a `sizes` attribute. */
  sizes: string;
  /** Whether it is on the first screen. */
  eager?: boolean;
}

/** On a phone the whole picture would be tiny: it shows the middle, at this total width in pixels. */
const PHONE_SIZES = "(max-width: 759px) 720px";

/** A screenshot in the reader's own theme. */
export function Shot({ name, alt, sizes, eager }: ShotProps) {
  const avif = (theme: string) =>
    AVIF_WIDTHS.map((width) => `${file(name, theme, width, "avif")} ${width}w`).join(", ");
  const dark = "(prefers-color-scheme: dark)";
  return (
    <picture>
      <source type="image/avif" media={dark} srcSet={avif("dark")} sizes={`${PHONE_SIZES}, ${sizes}`} />
      <source type="image/avif" srcSet={avif("light")} sizes={`${PHONE_SIZES}, ${sizes}`} />
      <source type="image/webp" media={dark} srcSet={file(name, "dark", 800, "webp")} />
      <img
        src={file(name, "light", 800, "webp")}
        alt={alt}
        width={WIDTH}
        height={HEIGHT}
        loading={eager ? "eager" : "lazy"}
        decoding="async"
        className="block h-auto w-full max-narrow:-ml-36 max-narrow:w-180 max-narrow:max-w-none"
      />
    </picture>
  );
}

function file(name: ShotName, theme: string, width: number, format: string): string {
  const path = `./shots/${name}-${theme}-${width}.${format}`;
  const url = FILES[path];
  if (!url) throw new Error(`${path} is missing: take it with \`npm run pictures\` in tests/browser`);
  return url;
}
