/** Limits that the API checks, too. `cargo dev openapi` generates this file from shared/domain and shared/protocol. */

/** A message to an agent. */
export const MAX_MESSAGE_CHARS = 20_000;
/** The reason for a rejection. */
export const MAX_REASON_CHARS = 1_000;
/** The wish that begins a change. */
export const MAX_WISH_CHARS = 1_000;
/** A script. */
export const MAX_SCRIPT_BYTES = 24_000;
/** A project's name. */
export const MAX_NAME_CHARS = 100;
/** A project's description. */
export const MAX_DESCRIPTION_CHARS = 2_000;
/** A credential. */
export const MAX_VALUE_BYTES = 8_192;
/** A file that is read or written in the browser. */
export const FILE_BYTES = 65_536;
/** A payment, in dollars. */
export const MAX_AMOUNT = 10_000;
