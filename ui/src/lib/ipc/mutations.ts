// Commands that change something, as mutations that refetch what they make stale (`stale.ts`).

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "./client";
import type { DeskFailure } from "./errors";
import type { RequestOf, ResponseOf } from "./host";
import { type ChangingCommand, staleAfterCommand } from "./stale";

/** A changing command as a mutation; its failure is always a `DeskFailure`. */
export function useCommand<C extends ChangingCommand>(
  name: C,
): UseMutationResult<ResponseOf<C>, DeskFailure, RequestOf<C>> {
  const client = useQueryClient();
  return useMutation<ResponseOf<C>, DeskFailure, RequestOf<C>>({
    mutationKey: [name],
    mutationFn: (request) => call(name, request),
    onSuccess: (response, request) => {
      for (const queryKey of staleAfterCommand(name, request, response)) void client.invalidateQueries({ queryKey });
    },
  });
}
