import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { problemText } from "../api/errors";
import { confirmAddress, mailKey } from "../api/mail";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { Button, buttonClass } from "../ui/button";
import { Problem } from "../ui/states";

/** Asks before a letter's link turns mail on, because programs open links too. */
export function ConfirmAddress({ token }: { token: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const confirm = useOnce({
    mutationFn: () => confirmAddress(token),
    onSuccess: (mail) => {
      queries.setQueryData(mailKey, mail);
      void navigate(paths.mail(), { replace: true });
    },
  });
  if (confirm.isError) {
    return (
      <>
        <Problem>{problemText(confirm.error)}</Problem>
        <div>
          <Link to={paths.mail()} replace className={buttonClass("plain")}>
            Back to your e-mail settings
          </Link>
        </div>
      </>
    );
  }
  return (
    <>
      <p>This link confirms that e-mails may go to the address that it was sent to.</p>
      <div>
        <Button kind="signal" pending={confirm.isPending} onClick={() => confirm.mutate()}>
          {confirm.isPending ? "Confirming..." : "Confirm this address"}
        </Button>
      </div>
    </>
  );
}
