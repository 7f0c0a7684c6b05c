import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet } from "react-router";
import { queryClient } from "../api/query-client";
import { CreditsModal } from "../credits/modal";
import { ShortageNotice } from "../credits/shortage-notice";
import { Shortcuts } from "../shortcuts/shortcuts";

/** Wraps every page of the application: the query cache, and the modals that may open above any page. */
export function Component() {
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <ShortageNotice />
      <CreditsModal />
      <Shortcuts />
    </QueryClientProvider>
  );
}
