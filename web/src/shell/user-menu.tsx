import { useQuery } from "@tanstack/react-query";
import { Download, LogOut, Mail, MonitorX, Trash2, Wallet } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { problemText } from "../api/errors";
import { type User, userQuery } from "../api/github";
import { creditsModal } from "../lib/credits-modal";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { Alert } from "../ui/alert";
import { cx } from "../ui/class";
import { ConfirmByName } from "../ui/confirm-by-name";
import { MENU, MenuItem, MenuLink } from "../ui/menu";
import { Problem, Skeleton } from "../ui/states";
import { exportAccount } from "./export-account";
import { leaveForGood, signOut, signOutEverywhere } from "./sign-out";
import { ThemeChoice } from "./theme-choice";

export function UserMenu({ compact }: { compact?: boolean }) {
  const user = useQuery(userQuery());
  const here = useOnce({ mutationFn: signOut });
  const [open, setOpen] = useState(false);
  const everywhere = useOnce({ mutationFn: signOutEverywhere, onError: () => setOpen(false) });
  const [deleting, setDeleting] = useState(false);
  const gone = useOnce({ mutationFn: leaveForGood });
  const leaving = here.isPending || everywhere.isPending;
  if (!user.data) return <UserSkeleton compact={compact} />;
  const name = user.data.name ?? user.data.login;
  return (
    // Not modal: the page next to the menu stays usable and readable.
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
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
      <DropdownMenu.Content
        side={compact ? "bottom" : "top"}
        align={compact ? "end" : "start"}
        sideOffset={6}
        className={`w-60 ${MENU}`}
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
        <MenuItem onSelect={creditsModal.open} icon={<Wallet size={15} aria-hidden />}>
          View & Add Credits
        </MenuItem>
        <MenuLink to={paths.mail()} icon={<Mail size={15} aria-hidden />}>
          E-mail when it is your turn
        </MenuLink>
        <MenuItem onSelect={exportAccount} icon={<Download size={15} aria-hidden />}>
          Export my data
        </MenuItem>
        <MenuItem onSelect={() => setDeleting(true)} icon={<Trash2 size={15} aria-hidden />}>
          Delete account
        </MenuItem>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <ThemeChoice />
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <MenuItem
          stays
          disabled={leaving}
          onSelect={() => here.mutate()}
          icon={<LogOut size={15} aria-hidden />}
        >
          {here.isPending ? "Signing out..." : "Sign Out"}
        </MenuItem>
        <MenuItem
          stays
          disabled={leaving}
          onSelect={() => everywhere.mutate()}
          icon={<MonitorX size={15} aria-hidden />}
        >
          {everywhere.isPending ? "Signing out everywhere..." : "Sign Out Everywhere"}
        </MenuItem>
      </DropdownMenu.Content>
      {deleting && (
        <ConfirmByName
          title="Delete your account?"
          description="This cannot be undone."
          name={user.data.login}
          action={["Delete account", "Deleting..."]}
          busy={gone.isPending}
          onClose={() => setDeleting(false)}
          onConfirm={() => gone.mutate(user.data.login)}
        >
          <ul className="list-disc pl-5">
            <li>All your projects are deleted, with their documents, credentials and backups.</li>
            <li>What is left of your credit balance is lost.</li>
            <li>Servers that your projects made keep running at your provider.</li>
            <li>You are signed out everywhere. Entries of your credit history stay, as the law requires.</li>
          </ul>
          {gone.isError && <Problem>Your account could not be deleted. {problemText(gone.error)}</Problem>}
        </ConfirmByName>
      )}
      {everywhere.isError && (
        <Alert
          title="You are still signed in"
          text={`Your sessions could not be ended: ${problemText(everywhere.error)}`}
          onClose={everywhere.reset}
        />
      )}
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
