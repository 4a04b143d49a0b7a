import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";

/** The address at which the internet reaches this computer, for all workspaces. Stored when the field is left. */
export function PublicAddressField({ onChange }: { onChange?: (typed: string) => void }) {
  const { t } = useTranslation("settings");
  const { preferences } = useBootstrap();
  const save = useCommand("save_preferences");
  const form = useForm({
    initial: { publicAddress: preferences.publicAddress },
    errors: [save.error?.error],
    onChange: save.reset,
  });
  const { publicAddress } = form.values;
  return (
    <TextInput
      data-field="publicAddress"
      label={t("connect.reach.address")}
      description={t("connect.reach.addressHint")}
      placeholder="https://hooks.example.com"
      type="url"
      spellCheck={false}
      autoComplete="off"
      value={publicAddress}
      onChange={(event) => {
        form.change({ publicAddress: event.currentTarget.value });
        onChange?.(event.currentTarget.value);
      }}
      onBlur={() => form.isDirty && save.mutate({ ...preferences, publicAddress })}
      error={form.errorOf("publicAddress") ?? save.error?.message}
    />
  );
}
