import { useQuery } from "@tanstack/react-query";
import { isStatus, problemText } from "../api/errors";
import { guestsQuery } from "../api/guests";
import { GuestList } from "../guests/guest-list";
import { PolicyChoice } from "../guests/policy-choice";
import { ReturnToProjects } from "../shell/rail";
import { Shell } from "../shell/shell";
import { DocumentSkeleton, Failure } from "../ui/states";

const BOX = "mt-5 rounded-card border border-line bg-surface p-5";

/** Who besides its owner may use a person's account; members of organizations and guests read who decides. */
export function Component() {
  const guests = useQuery(guestsQuery());
  const notOwner = isStatus(guests.error, 403) || isStatus(guests.error, 409);
  return (
    <Shell bar={<span className="truncate font-[560]">Guests</span>} rail={<ReturnToProjects />}>
      <title>Guests · Groundcrew</title>
      <div className="mx-auto max-w-2xl px-6.5 py-6 max-narrow:px-4">
        <h1 className="text-title">Guests</h1>
        {!notOwner && (
          <p className="mt-1 text-ink-2">
            People who contribute to one of your GitHub repositories can use your account here, if you allow
            it. A guest can do almost everything you can: spend your credits, run and delete projects, use
            their credentials and export your data. Only you can manage guests and delete the account.
          </p>
        )}
        {guests.data ? (
          <>
            <section aria-label="Policy" className={BOX}>
              <PolicyChoice policy={guests.data.policy} />
            </section>
            <section aria-labelledby="people" className={BOX}>
              <h2 id="people" className="mb-3 text-lead">
                People who tried to sign in
              </h2>
              <GuestList guests={guests.data.guests} />
            </section>
          </>
        ) : notOwner ? (
          <section className={BOX}>
            <p>{problemText(guests.error)}</p>
          </section>
        ) : guests.isError ? (
          <Failure
            title="Your guests could not be read"
            error={guests.error}
            retry={() => void guests.refetch()}
          />
        ) : (
          <DocumentSkeleton label="Loading your guests..." />
        )}
      </div>
    </Shell>
  );
}
