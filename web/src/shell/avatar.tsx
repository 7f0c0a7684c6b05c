import type { User } from "../api/github";

export function Avatar({ user, size }: { user: User; size: number }) {
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
