import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { problemText } from "../api/errors";
import { mailKey, nameAddress } from "../api/mail";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { useLimit } from "../ui/limit";
import { Problem } from "../ui/states";

/** The longest address that mail servers accept, in characters. */
const MAX_ADDRESS_CHARS = 254;

/** Asks for an address; a link that is sent there confirms it. */
export function AddressForm({ changes }: { changes: boolean }) {
  const queries = useQueryClient();
  const [address, setAddress] = useState("");
  const name = useOnce({
    mutationFn: nameAddress,
    onSuccess: (mail) => {
      setAddress("");
      queries.setQueryData(mailKey, mail);
    },
  });
  const limit = useLimit(address.trim(), MAX_ADDRESS_CHARS);
  const unfit = address.trim() === "" || limit.isOver;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!unfit && !name.isPending) name.mutate(address.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <label className="flex flex-col gap-1.5 text-note">
        <span className="font-[550]">{changes ? "Another address" : "Your e-mail address"}</span>
        <input
          type="email"
          required
          autoComplete="email"
          {...limit.field}
          value={address}
          readOnly={name.isPending}
          onChange={(event) => setAddress(event.target.value)}
          className="min-h-9 w-full rounded-control border border-line-strong bg-raised px-3 text-base read-only:text-ink-3"
        />
        {limit.note}
      </label>
      {name.isError && <Problem>{problemText(name.error)}</Problem>}
      <div>
        <Button kind={changes ? "plain" : "signal"} type="submit" disabled={unfit} pending={name.isPending}>
          {name.isPending ? "Sending..." : "Send a link to confirm"}
        </Button>
      </div>
    </form>
  );
}
