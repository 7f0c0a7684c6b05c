import { Switch } from "radix-ui";
import { useId } from "react";

export function Toggle({
  label,
  on,
  onChange,
}: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2 text-ink-2 text-note">
      <Switch.Root
        id={id}
        checked={on}
        onCheckedChange={onChange}
        className="relative h-4 w-7 shrink-0 after:absolute after:-inset-x-1 after:-inset-y-2 rounded-full bg-track transition-colors duration-150 ease-out data-[state=checked]:bg-ok"
      >
        <Switch.Thumb className="block size-3 translate-x-0.5 rounded-full bg-surface transition-transform duration-150 ease-out data-[state=checked]:translate-x-3.5" />
      </Switch.Root>
      <label htmlFor={id} className="cursor-pointer py-0.5">
        {label}
      </label>
    </span>
  );
}
