import { CircleCheck, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "../../lib/paths";

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
    <div
      role="status"
      className="mb-5 flex animate-appear items-center gap-2.5 rounded-box bg-ok-wash py-2 pr-2 pl-4 text-ok"
    >
      <CircleCheck size={17} aria-hidden className="shrink-0" />
      <p className="flex-1">Payment successful! Your credits have been added to your account.</p>
      <button
        type="button"
        aria-label="Close message"
        onClick={close}
        className="grid size-8 shrink-0 place-items-center rounded-control hover:bg-surface"
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
