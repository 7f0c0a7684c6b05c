import { Dialog } from "../ui/dialog";
import { SHORTCUTS } from "./keys";

/** All shortcuts, on one sheet. */
export default function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="px-5 pt-2 pb-5">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does} className="flex items-center gap-4 border-line border-b py-2.25 last:border-0">
            <dt className="flex w-24 shrink-0 gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-[4px] border border-line-strong bg-raised px-1.5 py-0.5 font-mono text-small"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-note">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
