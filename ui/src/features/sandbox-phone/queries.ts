import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";

export const sandboxPhoneQueries = {
  phoneScripts: () => queryOptions({ queryKey: keys.phoneScripts(), queryFn: () => call("list_phone_scripts", {}) }),

  failureCodes: () =>
    queryOptions({
      queryKey: ["failureCodes"],
      queryFn: () => call("list_failure_codes", {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  sandboxSettings: () =>
    queryOptions({ queryKey: keys.sandboxSettings(), queryFn: () => call("get_sandbox_settings", {}) }),

  phoneMessages: (recipient: string) =>
    queryOptions({
      queryKey: keys.phoneMessages(recipient),
      queryFn: () => call("list_phone_messages", { recipient }),
    }),
};
