import {
  hashKey,
  type UseMutateFunction,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { Presses } from "./once";

/**
 * A mutation that creates something or happens once: repeated presses with the same variables are one call. Switches,
 * which a person may turn back at once, and calls that only read use `useMutation`.
 */
export function useOnce<Data = unknown, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
): UseMutationResult<Data, Error, Variables, Context> {
  const mutation = useMutation(options);
  const { mutateAsync } = mutation;
  const presses = useRef<Presses>(undefined);
  presses.current ??= new Presses();
  const mutate = useCallback<UseMutateFunction<Data, Error, Variables, Context>>(
    (...[variables, callbacks]) => {
      const { current } = presses;
      const action = hashKey([variables]);
      if (!current?.begins(action, performance.now())) return;
      mutateAsync(variables as Variables, callbacks).then(
        () => current.ended(action, true),
        // The mutation's own state shows the error.
        () => current.ended(action, false),
      );
    },
    [mutateAsync],
  );
  return { ...mutation, mutate } as UseMutationResult<Data, Error, Variables, Context>;
}
