/** Records which texts have been shown on a screen. */

import assert from "node:assert/strict";
import type { Scene } from "../support/scene.ts";
import type { TerminalPane } from "../support/terminal.ts";
import type { Values } from "./texts.ts";
import { ERRORS, filled, STATES } from "./texts.ts";

export type Cast = Scene & { witness: Witness };

const ALL = [...ERRORS, ...STATES];

export class Witness {
  #seen = new Set<string>();

  /** Waits until a text of the catalogue is shown in a page or a part of one. */
  async see(place: Page | Locator, text: string, values?: Values) {
    this.#note(text);
    const shown = place.getByText(filled(text, values), { exact: true });
    await shown
      .or(place.getByRole("alert").filter({ hasText: filled(text, values) }))
      .first()
      .waitFor();
  }

  /** The same for a text in a button or a link. */
  async seeControl(place: Page | Locator, text: string, values?: Values) {
    this.#note(text);
    const name = filled(text, values);
    await place
      .getByRole("button", { name, exact: true })
      .or(place.getByRole("link", { name, exact: true }))
      .first()
      .waitFor();
  }

  /** The same for the word in the sandbox's pill. */
  async seeState(page: Page, word: string) {
    this.#note(word);
    await page.getByRole("status").getByText(`Sandbox ${word}`, { exact: true }).waitFor();
  }

  /** The same for a text in the terminal. */
  async seeDrawn(terminal: TerminalPane, text: string) {
    this.#note(text);
    await terminal.shows(new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  }

  #note(text: string) {
    assert.ok(ALL.includes(text), `not in the catalogue: ${text}`);
    this.#seen.add(text);
  }

  /** The texts that no story has shown. */
  get unseen() {
    return ALL.filter((text) => !this.#seen.has(text));
  }
}

/** The answer of a server that has an internal error. */
export const trouble = (detail = "The table is away", status = 500) => ({
  status,
  json: { detail, code: "internal", request_id: "r" },
});

/** A stream of these events that ends normally. */
export const reply = (...events: object[]) => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: [...events, { event: "on_chat_model_end", thread_id: "t" }]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join(""),
});

/** A stream of these events that breaks off. */
export const cutOff = () => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: 'data: {"event":"on_chat_model_stream","chunk":{"content":"I was about"},"thread_id":"t"}\n\n',
});
