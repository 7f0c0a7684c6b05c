import { useMutation, useQueryClient } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { decide, type Guest, guestsKey } from "../api/guests";
import { dayAndTime } from "../lib/time";
import { Button } from "../ui/button";
import { Pill } from "../ui/pill";
import { Empty, Problem } from "../ui/states";
import { lastSignIn } from "./last-sign-in";

/** Everyone who has tried to sign in for the account, with the decision about each. */
export function GuestList({ guests }: { guests: Guest[] }) {
  if (guests.length === 0) {
    return (
      <Empty title="No guests yet">
        When a collaborator tries to sign in for your account, you see them here.
      </Empty>
    );
  }
  return (
    <ul className="flex flex-col divide-y divide-line">
      {guests.map((guest) => (
        <li key={guest.user_id} className="py-3 first:pt-0 last:pb-0">
          <Row guest={guest} />
        </li>
      ))}
    </ul>
  );
}

function Row({ guest }: { guest: Guest }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: decide,
    onSuccess: (guests) => queries.setQueryData(guestsKey, guests),
  });
  const allowed = guest.admission === "allowed";
  const signIn = lastSignIn(guest);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-2">
            <strong className="min-w-0 break-words font-[560]">{guest.login}</strong>
            <Pill tone={allowed ? "ok" : "idle"}>{allowed ? "allowed" : "refused"}</Pill>
          </p>
          {signIn && (
            <p className="text-ink-2 text-note">
              {signIn.entered ? "Last signed in" : "Last refused"} {dayAndTime(signIn.at)}
            </p>
          )}
        </div>
        <Button
          size="small"
          kind={allowed ? "danger" : "plain"}
          aria-label={`${allowed ? "Refuse" : "Allow"} ${guest.login}`}
          pending={change.isPending}
          onClick={() => change.mutate({ guest: guest.user_id, admission: allowed ? "refused" : "allowed" })}
        >
          {allowed ? "Refuse" : "Allow"}
        </Button>
      </div>
      {change.isError && <Problem>{problemText(change.error)}</Problem>}
    </div>
  );
}
