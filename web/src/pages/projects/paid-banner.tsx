import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "../../lib/paths";
import { Banner } from "../../ui/banner";

/** How long the banner stays, in milliseconds. */
const BANNER_MS = 5_000;

/** Reports once that a payment has succeeded. */
export function PaidBanner({ onClose }: { onClose: () => void }) {
  const state: unknown = useLocation().state;
  const navigate = useNavigate();
  const paid = Reflect.get(Object(state), "paymentSuccess") === true;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!paid) return;
    setShown(true);
    // A reload or a return must not report it again.
    void navigate(paths.projects(), { replace: true, state: null });
  }, [paid, navigate]);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(false), BANNER_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  const close = () => {
    setShown(false);
    onClose();
  };
  return (
    <Banner tone="ok" icon={CircleCheck} onClose={close}>
      Payment successful! Your credits have been added to your account.
    </Banner>
  );
}
