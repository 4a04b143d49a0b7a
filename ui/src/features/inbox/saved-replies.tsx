import { ActionIcon, Button, Combobox, Tooltip } from "@mantine/core";
import { IconMessage2Bolt } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";
import classes from "./reply-box.module.css";
import type { useSavedReplies } from "./use-saved-replies";

type Saved = ReturnType<typeof useSavedReplies>;

/** Opens the list of saved replies. */
export function SavedRepliesButton({ saved }: { saved: Saved }) {
  const { t } = useTranslation("inbox");
  return (
    // It would cover the list.
    <Tooltip label={t("reply.saved")} disabled={saved.opened}>
      <ActionIcon
        size={36}
        radius="xl"
        aria-label={t("reply.saved")}
        aria-haspopup="listbox"
        onClick={saved.opened ? saved.close : saved.open}
      >
        <IconMessage2Bolt size={20} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The list of saved replies over the field of the reply, `children`. */
export function SavedRepliesList({ saved, children }: { saved: Saved; children: ReactElement }) {
  const { t } = useTranslation("inbox");
  const { store, found, search, setSearch, choose, opened } = saved;
  return (
    <Combobox
      store={store}
      onOptionSubmit={(id) => void choose(id)}
      position="top-start"
      shadow="md"
      // The window can be small.
      middlewares={{ flip: true, shift: true }}
    >
      <Combobox.Target withKeyboardNavigation={opened && search === undefined} withAriaAttributes={opened}>
        {children}
      </Combobox.Target>
      <Combobox.Dropdown>
        {search !== undefined && (
          <Combobox.Search
            data-autofocus
            autoFocus
            aria-label={t("reply.savedSearch")}
            placeholder={t("reply.savedSearch")}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              // The conversation stays open.
              if (event.key === "Escape") event.preventDefault();
            }}
          />
        )}
        <Combobox.Options aria-label={t("reply.saved")} className={classes.saved}>
          {found.map(({ id, name, text }) => (
            <Combobox.Option key={id} value={id}>
              <strong className={styles.truncate}>{name}</strong>
              <span className={`${styles.small} ${styles.truncate}`} dir="auto">
                {text}
              </span>
            </Combobox.Option>
          ))}
          {found.length === 0 && (
            <Combobox.Empty>{t(saved.hasReplies ? "reply.savedNothing" : "reply.savedNone")}</Combobox.Empty>
          )}
        </Combobox.Options>
        {search !== undefined && (
          <Combobox.Footer>
            <Button
              size="compact-sm"
              variant="subtle"
              renderRoot={(props) => <Link to="/settings" search={{ section: "replies" }} {...props} />}
            >
              {t("reply.savedManage")}
            </Button>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** What nobody has a value for, each as a way to its place in the text. */
export function MissingFields({ saved: { missing, complete } }: { saved: Saved }) {
  const { t } = useTranslation("inbox");
  if (missing.length === 0) return null;
  return (
    <div className={classes.missing} role="status">
      <span>{t("reply.complete")}</span>
      {missing.map((field) => (
        <Button
          key={field}
          size="compact-xs"
          variant="light"
          color="orange"
          aria-label={t("reply.completeOne", { field })}
          onClick={() => complete(field)}
        >
          {field}
        </Button>
      ))}
    </div>
  );
}
