import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { focusHeading } from "../focus-heading";
import classes from "./batches.module.css";
import { type FormerPeople, forgetDraft } from "./draft";

interface FormerPeopleTextProps {
  people: FormerPeople;
  /** How many they are. */
  count: number;
}

/** Which people of an earlier batch get this one, and what is not there any more; with the way to that batch. */
export function FormerPeopleText({ people, count }: FormerPeopleTextProps) {
  const { t } = useTranslation("batches");
  const { batch, template, engagement, hasCells, missing } = people;
  return (
    <p className={classes.text}>
      {t(`retarget.people.${engagement}`, { count, name: template.name, nest: false })}{" "}
      {missing > 0 && `${t("retarget.missing", { count: missing })} `}
      {!hasCells && `${t("retarget.noCells")} `}
      <Link to="/sends/batches/$batch" params={{ batch }}>
        {t("retarget.open")}
      </Link>
    </p>
  );
}

interface FormerPeopleNoteProps extends FormerPeopleTextProps {
  workspace: string;
  /** Whether a template was chosen for them before. */
  isBegun: boolean;
}

/** The same before a template is chosen, which can be that of the earlier batch. */
export function FormerPeopleNote({ workspace, isBegun, ...of }: FormerPeopleNoteProps) {
  const { t } = useTranslation("batches");
  const { reference, name } = of.people.template;
  return (
    <section className={classes.begun} aria-label={t("retarget.from")}>
      <FormerPeopleText {...of} />
      {!isBegun && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/sends/batches/new" search={{ reference }} {...props} />}
          >
            {t("retarget.same", { name, nest: false })}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              forgetDraft(workspace);
              focusHeading();
            }}
          >
            {t("begun.forget")}
          </Button>
        </>
      )}
    </section>
  );
}
