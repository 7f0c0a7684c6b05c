/** The look of one of several tabs on top of a card. */
export const TAB =
  "relative h-11.5 whitespace-nowrap px-4 font-[520] text-ink-2 transition-colors duration-150 hover:text-ink data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-0 data-[state=active]:after:-bottom-px data-[state=active]:after:h-0.5 data-[state=active]:after:bg-signal focus-visible:-outline-offset-2 max-narrow:px-3";
