import { useEffect } from "react";
import { useSearchParams } from "react-router";
import type { Step } from "../api/execution";

const REVIEW = "review";

/** Whether a step is under review is part of the address: Back closes the review, and a reload keeps it. */
export function useReview(stepNumber: number) {
  const [params, setParams] = useSearchParams();
  const isOpen = params.get(REVIEW) === String(stepNumber);
  const set = (step: string | undefined, replace: boolean) =>
    setParams(
      (params) => {
        if (step === undefined) params.delete(REVIEW);
        else params.set(REVIEW, step);
        return params;
      },
      { replace, preventScrollReset: true },
    );
  return {
    isOpen,
    open: () => set(String(stepNumber), false),
    close: () => isOpen && set(undefined, true),
  };
}

/** Takes a review that cannot open out of the address: it would open later, unasked, once its step has a command. */
export function useStrayReview(steps: readonly Step[]) {
  const [params, setParams] = useSearchParams();
  const asked = params.get(REVIEW);
  const stray =
    asked !== null && !steps.some(({ step_number, command }) => command && String(step_number) === asked);
  useEffect(() => {
    if (!stray) return;
    setParams(
      (params) => {
        params.delete(REVIEW);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [stray, setParams]);
}
