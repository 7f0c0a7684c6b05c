import { QueryClientProvider } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { problemText } from "../api/errors";
import { unsubscribe } from "../api/mail";
import { queryClient } from "../api/query-client";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { FullPage } from "../ui/full-page";
import { HomeLink } from "../ui/home-link";
import { Problem } from "../ui/states";

/** Turns mail off for the reader of a letter; needs no session. */
export function Component() {
  return (
    <QueryClientProvider client={queryClient}>
      <Unsubscribe />
    </QueryClientProvider>
  );
}

function Unsubscribe() {
  // Browsers do not send the part after the `#` to a server.
  const key = useLocation().hash.slice(1);
  const off = useOnce({ mutationFn: () => unsubscribe(key) });
  if (key === "") {
    return (
      <FullPage title="Turn e-mails off">
        <p className="text-ink-2">This address is incomplete: copy the full link.</p>
        <HomeLink />
      </FullPage>
    );
  }
  if (off.isSuccess) {
    return (
      <FullPage title="E-mails are off">
        <p role="status" className="text-ink-2">
          No more e-mails are sent for this account. You can turn them on again in the user menu.
        </p>
        <HomeLink />
      </FullPage>
    );
  }
  return (
    <FullPage title="Turn e-mails off">
      <p className="text-ink-2">Groundcrew will not write to you when it is your turn.</p>
      {off.isError && <Problem>{problemText(off.error)}</Problem>}
      <Button kind="signal" pending={off.isPending} onClick={() => off.mutate()}>
        {off.isPending ? "Turning off..." : "Turn off"}
      </Button>
    </FullPage>
  );
}
