import { Download, LogOut, Mail, MonitorX, Trash2, Users, Wallet } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useRef, useState } from "react";
import { problemText } from "../api/errors";
import type { User } from "../api/github";
import { creditsModal } from "../lib/credits-modal";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { Alert } from "../ui/alert";
import { ConfirmByName } from "../ui/confirm-by-name";
import { MENU, Menu, MenuItem, MenuLink } from "../ui/menu";
import type { Pressed } from "../ui/menu-button";
import { Problem } from "../ui/states";
import { Avatar } from "./avatar";
import { exportAccount } from "./export-account";
import { leaveForGood, signOut, signOutEverywhere } from "./sign-out";
import { ThemeChoice } from "./theme-choice";

interface UserActionsProps {
  first: Pressed;
  user: User;
  compact: boolean | undefined;
}

/** How a person belongs to an account that is not their own. */
function belonging({ access, account }: User): string | undefined {
  switch (access) {
    case "guest":
      return `Guest in ${account ?? "another person"}'s account`;
    case "member":
      return `Member of ${account ?? "an organization"}`;
    case "owner":
      return undefined;
  }
}

/** The menu of the signed-in person. */
export function UserActions({ first, user, compact }: UserActionsProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const here = useOnce({ mutationFn: signOut });
  const [open, setOpen] = useState(false);
  const everywhere = useOnce({ mutationFn: signOutEverywhere, onError: () => setOpen(false) });
  const [deleting, setDeleting] = useState(false);
  const exporting = useOnce({
    mutationFn: exportAccount,
    onError: (error) => console.error("The account could not be exported", error),
  });
  const leaving = here.isPending || everywhere.isPending;
  return (
    <Menu first={first} trigger={trigger} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Content
        side={compact ? "bottom" : "top"}
        align={compact ? "end" : "start"}
        sideOffset={6}
        className={`w-60 ${MENU}`}
      >
        <Who user={user} />
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <MenuItem onSelect={creditsModal.open} icon={<Wallet size={15} aria-hidden />}>
          View & Add Credits
        </MenuItem>
        <MenuLink to={paths.mail()} icon={<Mail size={15} aria-hidden />}>
          E-mail when it is your turn
        </MenuLink>
        {user.access === "owner" && (
          <MenuLink to={paths.guests()} icon={<Users size={15} aria-hidden />}>
            Guests
          </MenuLink>
        )}
        <MenuItem onSelect={() => exporting.mutate()} icon={<Download size={15} aria-hidden />}>
          Export my data
        </MenuItem>
        {user.access === "owner" && (
          <MenuItem onSelect={() => setDeleting(true)} icon={<Trash2 size={15} aria-hidden />}>
            Delete account
          </MenuItem>
        )}
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
      {deleting && <DeleteAccount login={user.login} onClose={() => setDeleting(false)} />}
      {exporting.isError && (
        <Alert
          title="Your data could not be exported"
          text={problemText(exporting.error)}
          onClose={exporting.reset}
        />
      )}
      {everywhere.isError && (
        <Alert
          title="You are still signed in"
          text={`Your sessions could not be ended: ${problemText(everywhere.error)}`}
          onClose={everywhere.reset}
        />
      )}
    </Menu>
  );
}

function Who({ user }: { user: User }) {
  const of = belonging(user);
  return (
    <div className="flex items-center gap-3 px-2.5 py-2">
      <Avatar user={user} size={36} />
      <div className="min-w-0">
        <p className="truncate font-[560]">{user.name ?? user.login}</p>
        <p className="truncate text-ink-2 text-small">{user.login}</p>
        <p className="truncate text-ink-3 text-small">@{user.login}</p>
        {of && <p className="text-ink-2 text-small">{of}</p>}
      </div>
    </div>
  );
}

/** Asks before everything is deleted. */
function DeleteAccount({ login, onClose }: { login: string; onClose: () => void }) {
  const gone = useOnce({ mutationFn: leaveForGood });
  return (
    <ConfirmByName
      title="Delete your account?"
      description="This cannot be undone."
      name={login}
      action={["Delete account", "Deleting..."]}
      busy={gone.isPending}
      onClose={onClose}
      onConfirm={() => gone.mutate(login)}
    >
      <ul className="list-disc pl-5">
        <li>All your projects are deleted, with their documents, credentials and backups.</li>
        <li>
          Your unused credits stay with the app's installation on GitHub: if you sign in again, they are
          there. If you uninstall the app, you lose them.
        </li>
        <li>Servers that your projects made keep running at your provider.</li>
        <li>Uninstalling the app on GitHub also deletes your account.</li>
        <li>You are signed out everywhere. Entries of your credit history stay, as the law requires.</li>
      </ul>
      {gone.isError && <Problem>Your account could not be deleted. {problemText(gone.error)}</Problem>}
    </ConfirmByName>
  );
}
