import { useQuery } from "@tanstack/react-query";
import { userQuery } from "../api/github";
import { keptPart, lazyPart } from "../lib/lazy-part";
import { cx } from "../ui/class";
import { MenuButton } from "../ui/menu-button";
import { Skeleton } from "../ui/states";
import { Avatar } from "./avatar";

export const userActions = keptPart(lazyPart(() => import("./user-actions")));

/** The signed-in person, and the button of their menu. */
export function UserMenu({ compact }: { compact?: boolean }) {
  const { data: user } = useQuery(userQuery());
  if (!user) return <UserSkeleton compact={compact} />;
  const name = user.name ?? user.login;
  const account = `@${user.login}${user.account ? ` in ${user.account}` : ""}`;
  const button = {
    "aria-label": `${name} ${account}, user menu`,
    className: cx(
      "flex min-w-0 items-center gap-2.5 rounded-box text-left transition-colors duration-150",
      compact ? "p-0.5" : "-mx-2 w-[calc(100%+1rem)] p-2 hover:bg-sunken data-[state=open]:bg-sunken",
    ),
    children: (
      <>
        <Avatar user={user} size={28} />
        {!compact && (
          <span className="min-w-0">
            <span className="block truncate font-[560] leading-tight">{name}</span>
            <span className="block truncate text-ink-2 text-small leading-tight">{account}</span>
          </span>
        )}
      </>
    ),
  };
  return (
    <MenuButton part={userActions} button={button}>
      {({ UserActions }, first) => <UserActions first={first} user={user} compact={compact} />}
    </MenuButton>
  );
}

function UserSkeleton({ compact }: { compact: boolean | undefined }) {
  return (
    <div className={cx("flex items-center gap-2.5", compact ? "p-0.5" : "min-h-12.25")} aria-hidden>
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
