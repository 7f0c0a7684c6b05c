import { useMutation, useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { logout, type User, userQuery } from "../api/github";
import { endSession } from "../session";
import { cx } from "../ui/class";
import { Skeleton } from "../ui/states";

/** How long the code host's logout page is loaded in a hidden frame, in milliseconds. */
const LOGOUT_FRAME_MS = 1_000;
const CODE_HOST_LOGOUT = "https://github.com/logout";

export function UserMenu({ compact }: { compact?: boolean }) {
  const user = useQuery(userQuery());
  const signOut = useMutation({
    mutationFn: async () => {
      await logout().catch((error: unknown) => console.error("Signing out failed on the server", error));
      sessionStorage.clear();
      await loadHidden(CODE_HOST_LOGOUT);
    },
    onSettled: endSession,
  });
  if (!user.data) return <UserSkeleton compact={compact} />;
  const name = user.data.name ?? user.data.login;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className={cx(
          "flex min-w-0 items-center gap-2.5 rounded-box text-left transition-colors duration-150",
          compact ? "p-0.5" : "-mx-2 p-2 hover:bg-sunken data-[state=open]:bg-sunken",
        )}
        aria-label={`${name} @${user.data.login}, user menu`}
      >
        <Avatar user={user.data} size={28} />
        {!compact && (
          <span className="min-w-0">
            <span className="block truncate font-[560] leading-tight">{name}</span>
            <span className="block truncate text-ink-2 text-small leading-tight">@{user.data.login}</span>
          </span>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={compact ? "bottom" : "top"}
          align={compact ? "end" : "start"}
          sideOffset={6}
          className="z-50 w-60 animate-appear rounded-box border border-line-strong bg-raised p-1.5 shadow-xl"
        >
          <div className="flex items-center gap-3 px-2.5 py-2">
            <Avatar user={user.data} size={36} />
            <div className="min-w-0">
              <p className="truncate font-[560]">{name}</p>
              <p className="truncate text-ink-2 text-small">{user.data.login}</p>
              <p className="truncate text-ink-3 text-small">@{user.data.login}</p>
            </div>
          </div>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item
            disabled={signOut.isPending}
            onSelect={(event) => {
              event.preventDefault();
              signOut.mutate();
            }}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 outline-none data-[highlighted]:bg-sunken"
          >
            <LogOut size={15} aria-hidden />
            {signOut.isPending ? "Signing out..." : "Sign Out"}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Avatar({ user, size }: { user: User; size: number }) {
  return (
    <span
      className="grid shrink-0 place-items-center overflow-hidden rounded-full bg-gradient-to-br from-[#2c5577] to-[#9a5b00] font-[600] text-[11px] text-white"
      style={{ width: size, height: size }}
    >
      {user.avatar_url && (
        <img
          src={user.avatar_url}
          alt=""
          width={size}
          height={size}
          referrerPolicy="no-referrer"
          onError={hide}
        />
      )}
    </span>
  );
}

const hide = (event: React.SyntheticEvent<HTMLImageElement>) => {
  event.currentTarget.hidden = true;
};

function UserSkeleton({ compact }: { compact: boolean | undefined }) {
  return (
    <div className="flex items-center gap-2.5 py-2" aria-hidden>
      <Skeleton className="size-7 rounded-full" />
      {!compact && (
        <span className="flex flex-col gap-1.5">
          <Skeleton className="h-3 w-24" />
          <Skeleton className="h-2.5 w-14" />
        </span>
      )}
    </div>
  );
}

/** Loads an address in a hidden frame for a moment, so that the code host can end its own session. */
function loadHidden(address: string): Promise<void> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.src = address;
  document.body.append(frame);
  return new Promise((resolve) => {
    setTimeout(() => {
      frame.remove();
      resolve();
    }, LOGOUT_FRAME_MS);
  });
}
