import type { MouseEvent } from "react";

/** Whether a click on a link follows it in this tab; with a modifier the browser opens it somewhere else. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
