import { CircleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { Banner } from "../../ui/banner";

/** The parameter of the address that names the project. */
const MISSING = "missing";

/** Says why a link to a project, or a page of it, led to the list. */
export function MissingProject({ onClose }: { onClose: () => void }) {
  const [asked, setAsked] = useSearchParams();
  const missing = asked.get(MISSING);
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (missing === null) return;
    setShown(missing);
    // A reload or a return must not report it again.
    setAsked(
      (now) => {
        now.delete(MISSING);
        return now;
      },
      { replace: true },
    );
  }, [missing, setAsked]);
  if (shown === undefined) return null;
  const close = () => {
    setShown(undefined);
    onClose();
  };
  return (
    <Banner tone="signal" icon={CircleAlert} urgent onClose={close}>
      {/^\d+$/.test(shown) ? `Project ${shown}` : "This project"} was deleted, or this account has no access
      to it.
    </Banner>
  );
}
