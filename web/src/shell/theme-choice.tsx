import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { THEMES, type Theme, useTheme } from "../lib/theme";

/** The menu's choice between light, dark and the system's theme. */
export function ThemeChoice() {
  const [theme, choose] = useTheme();
  return (
    <DropdownMenu.RadioGroup
      aria-label="Theme"
      value={theme}
      onValueChange={(next) => choose(next as Theme)}
      className="flex gap-1 px-1.5 py-1"
    >
      {Object.entries(THEMES).map(([value, label]) => (
        <DropdownMenu.RadioItem
          key={value}
          value={value}
          onSelect={(event) => event.preventDefault()}
          className="flex min-h-8 flex-1 cursor-pointer items-center justify-center gap-1 rounded-control text-note outline-none data-[highlighted]:bg-sunken data-[state=checked]:font-[560]"
        >
          <DropdownMenu.ItemIndicator>
            <Check size={13} aria-hidden />
          </DropdownMenu.ItemIndicator>
          {label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
