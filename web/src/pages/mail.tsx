import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { mailQuery } from "../api/mail";
import { AddressForm } from "../mail/address-form";
import { ConfirmAddress } from "../mail/confirm-address";
import { MailState } from "../mail/mail-state";
import { ReturnToProjects } from "../shell/rail";
import { Shell } from "../shell/shell";
import { DocumentSkeleton, Failure } from "../ui/states";

/**
 * Whether a person gets mail when it is their turn, and at which address; the link in a first letter leads here too.
 */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get("confirm");
  const mail = useQuery(mailQuery());
  return (
    <Shell bar={<span className="truncate font-[560]">E-mail</span>} rail={<ReturnToProjects />}>
      <title>E-mail · Groundcrew</title>
      <div className="mx-auto max-w-2xl px-6.5 py-6 max-narrow:px-4">
        <h1 className="text-title">E-mail when it is your turn</h1>
        <p className="mt-1 text-ink-2">
          Get an e-mail when a step waits for you, when one fails, when all are done, and when a check finds
          drift. It names the project and never shows a script or its output.
        </p>
        {mail.data ? (
          <section className="mt-5 flex flex-col gap-4 rounded-card border border-line bg-surface p-5">
            {token ? (
              <ConfirmAddress token={token} />
            ) : mail.data.available ? (
              <>
                <MailState mail={mail.data} />
                <AddressForm changes={mail.data.address !== null} />
              </>
            ) : (
              <p>This site does not send e-mail. Its operator can turn it on.</p>
            )}
          </section>
        ) : mail.isError ? (
          <Failure
            title="Your e-mail settings could not be read"
            error={mail.error}
            retry={() => void mail.refetch()}
          />
        ) : (
          <DocumentSkeleton label="Loading your e-mail settings..." />
        )}
      </div>
    </Shell>
  );
}
