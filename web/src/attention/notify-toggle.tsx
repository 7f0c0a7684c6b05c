import { useState } from "react";
import { Link } from "react-router";
import { paths } from "../lib/paths";
import { browserStorage } from "../lib/storage";
import { useStoredFlag } from "../lib/stored";
import { Toggle } from "../ui/toggle";
import { askToNotify, canNotify, NOTIFY_KEY } from "./notifications";

/** A link to the mail settings, next to this browser's notifications. */
function ByMail() {
  return (
    <Link
      to={paths.mail()}
      className="py-0.5 text-note underline decoration-line-strong underline-offset-3 hover:decoration-current"
    >
      By e-mail
    </Link>
  );
}

/** Turns this browser's notifications on or off; they are off by default. */
export function NotifyToggle() {
  const [wanted, setWanted] = useStoredFlag(browserStorage, NOTIFY_KEY);
  const [refused, setRefused] = useState(false);
  const on = wanted && canNotify() && Notification.permission === "granted";
  const change = async (next: boolean) => {
    const allowed = next && (await askToNotify());
    setRefused(next && !allowed);
    setWanted(allowed);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      {canNotify() && <Toggle label="Notify Me" on={on} onChange={(next) => void change(next)} />}
      <ByMail />
      {refused && (
        <p role="status" className="basis-full text-ink-2 text-small">
          Your browser blocks notifications from this site. Allow them in its settings, then try again.
        </p>
      )}
    </div>
  );
}
