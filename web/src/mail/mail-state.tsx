import { useQueryClient } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { forgetAddress, type Mail, mailKey } from "../api/mail";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";

/** The address that gets mail now, and the address that waits for confirmation. */
export function MailState({ mail: { address, pending } }: { mail: Mail }) {
  const queries = useQueryClient();
  const off = useOnce({
    mutationFn: forgetAddress,
    onSettled: () => queries.invalidateQueries({ queryKey: mailKey }),
  });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="min-w-0 break-words">
          {address ? (
            <>
              E-mails go to <strong className="break-words font-[600]">{address}</strong>.
            </>
          ) : (
            "E-mails are off."
          )}
        </p>
        {(address || pending) && (
          <Button size="small" pending={off.isPending} onClick={() => off.mutate()}>
            {address ? "Turn off" : "Cancel"}
          </Button>
        )}
      </div>
      {address && (
        <p className="text-ink-2 text-note">
          E-mails pause when your last sign-in is older than a day, or seven days if you own this account.
          They resume when you sign in.
        </p>
      )}
      {pending && (
        <p role="status" className="rounded-control bg-sunken px-3 py-2 text-note">
          Open the link that was sent to <strong className="break-words font-[600]">{pending}</strong> within
          a day.
        </p>
      )}
      {off.isError && <Problem>{problemText(off.error)}</Problem>}
    </>
  );
}
