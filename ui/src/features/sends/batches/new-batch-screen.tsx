import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { Back } from "../back";
import { focusHeading } from "../focus-heading";
import { sendsQueries } from "../queries";
import { TemplateChoice } from "../template-choice";
import { BatchComposer } from "./batch-composer";
import classes from "./batches.module.css";
import { forgetDraft, isBegun, listOf, useBatchDraft } from "./draft";
import { FormerPeopleNote } from "./former-people";

const route = getRouteApi("/sends/batches/new");

/** A batch to be: first the template, then who gets it and what fills it. */
export function NewBatchScreen() {
  const { t } = useTranslation("batches");
  const { reference } = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const [draft] = useBatchDraft(workspace.id);
  const { ids, source, file, people, comparison } = draft;
  const isOfBook = source === "recipients";
  const recipients = isOfBook ? ids.length : listOf(draft) ? (file?.rows ?? 0) : 0;
  if (reference) return <Filling key={`${workspace.id} ${reference}`} reference={reference} />;
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/batches" />}
        title={t("new.title")}
        detail={
          comparison?.checked
            ? t("divide.choose", { name: comparison.first.name, nest: false })
            : recipients > 0
              ? t("new.chooseFor", { count: recipients })
              : t("choose.title", { ns: "sends" })
        }
      />
      {people && recipients > 0 && (people.file === undefined) === isOfBook && (
        <FormerPeopleNote
          workspace={workspace.id}
          people={people}
          count={recipients}
          isBegun={draft.template !== undefined}
        />
      )}
      {isBegun(draft) && draft.template && !comparison?.checked && (
        <Begun workspace={workspace.id} template={draft.template} />
      )}
      <TemplateChoice onChoose={(chosen) => void navigate({ search: { reference: chosen } })} />
    </>
  );
}

/** A batch that was begun and left: what was filled in is still there. */
function Begun({ workspace, template }: { workspace: string; template: { reference: string; name: string } }) {
  const { t } = useTranslation("batches");
  return (
    <section className={classes.begun} aria-label={t("begun.title")}>
      <p>{t("begun.text", { name: template.name, nest: false })}</p>
      <Button
        size="compact-sm"
        renderRoot={(props) => <Link to="/sends/batches/new" search={{ reference: template.reference }} {...props} />}
      >
        {t("begun.continue")}
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
    </section>
  );
}

function Filling({ reference }: { reference: string }) {
  const { t } = useTranslation("batches");
  const workspace = useWorkspace();
  const form = useQuery(sendsQueries.sendForm(workspace.id, reference));
  const languageName = useLanguageName();
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/batches/new" />}
        title={t("new.title")}
        detail={form.data && `${form.data.name} · ${languageName(form.data.language)}`}
      />
      {form.error && <ErrorNotice error={form.error} onRetry={() => void form.refetch()} />}
      {form.isPending && <Loading />}
      {form.data && <BatchComposer workspace={workspace} reference={reference} form={form.data} />}
    </>
  );
}
