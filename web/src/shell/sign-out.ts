import { deleteAccount, logout } from "../api/github";
import { endSession } from "../lib/session";
import { tabStorage } from "../lib/storage";

/** How long the code host's logout page is loaded in a hidden frame, in milliseconds. */
const LOGOUT_FRAME_MS = 1_000;

/**
 * Signs out: the call, the session storage, the code host's own page, the landing page. Even if the call fails, all
 * data in this browser is removed.
 */
export async function signOut() {
  const answer = await logout(false).catch((error: unknown) => {
    console.error("Signing out failed on the server", error);
    return undefined;
  });
  await leave(answer?.logout_url);
}

/** Ends every session of this person; throws if the server did not, because the other sessions are then still valid. */
export async function signOutEverywhere() {
  const answer = await logout(true);
  await leave(answer?.logout_url);
}

/** Deletes the account and signs out; throws if the server did not delete it. */
export async function leaveForGood(login: string) {
  const answer = await deleteAccount(login);
  await leave(answer.logout_url);
}

async function leave(address: string | undefined) {
  tabStorage.clear();
  if (address) await loadHidden(address);
  endSession();
}

/** Loads an address in a hidden frame for a moment, so that the code host can end its own session. */
function loadHidden(address: string): Promise<void> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.src = address;
  document.body.append(frame);
  return new Promise((resolve) => {
    setTimeout(() => {
      frame.remove();
      resolve();
    }, LOGOUT_FRAME_MS);
  });
}
