import { Button, Group, SegmentedControl, Table, TextInput } from "@mantine/core";
import { IconListNumbers } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { VariableUse } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import type { DeskFailure } from "@/lib/ipc/errors";
import classes from "./composer.module.css";
import { NotesAt } from "./field";
import { useRewrite } from "./rewrite";
import { Section } from "./section";
import { templateOf, useComposer, useComposerActions, useDerived } from "./store";
import { formatOf, sampleAt, textsWithGaps, whereIs, withSampleAt } from "./variables";

const NONE: VariableUse[] = [];

/** All variables of the template with their samples, and what is done to them together. */
export function VariablesSection() {
  const { t } = useTranslation("composer");
  const variables = useComposer((state) => state.inspection?.variables ?? NONE);
  const rewrite = useRewrite();
  const [failure, setFailure] = useState<DeskFailure>();
  const format = useComposer((state) => formatOf(state.draft.template, variables));
  const gaps = useDerived(templateOf, (template) => textsWithGaps(variables, template));

  return (
    <Section
      title={t("variables.title")}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t("variables.format")}
          data-path="/parameter_format"
          data={(["POSITIONAL", "NAMED"] as const).map((value) => ({
            value,
            label: t(`variables.formats.${value}`),
          }))}
          value={format}
          onChange={(value) => void rewrite({ kind: "format", format: value }).then(setFailure)}
        />
      }
    >
      <p className={styles.small}>{t("variables.formatHint")}</p>
      <NotesAt paths={["/parameter_format"]} />
      {failure && <ErrorNotice error={failure} />}
      {variables.length === 0 ? (
        <p className={styles.small}>{t("variables.none")}</p>
      ) : (
        <Table.ScrollContainer minWidth={340}>
          <Table layout="fixed" verticalSpacing={4} horizontalSpacing={6} className={classes.variables}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="32%">{t("variables.variable")}</Table.Th>
                <Table.Th w="26%">{t("variables.place")}</Table.Th>
                <Table.Th>{t("variables.sample")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {variables.map((variable, index) => (
                // Not by name: the field stays while its variable is renamed.
                <Row key={`${variable.path} ${orderIn(variables, index)}`} variable={variable} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {gaps.length > 0 && (
        <Group gap="0.5rem" fz="sm">
          <span>{t("variables.gaps")}</span>
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconListNumbers size={15} />}
            onClick={() => void rewrite(...gaps.map((path) => ({ kind: "renumber", path }) as const)).then(setFailure)}
          >
            {t("variables.renumber")}
          </Button>
        </Group>
      )}
    </Section>
  );
}

/** Index of the variable among those of the same text. */
function orderIn(variables: readonly VariableUse[], index: number): number {
  return variables.slice(0, index).filter(({ path }) => path === variables[index]?.path).length;
}

function Row({ variable }: { variable: VariableUse }) {
  const { t } = useTranslation("composer");
  const where = useWhere(variable.path);
  const { change } = useComposerActions();
  const sample = useDerived(templateOf, (template) => sampleAt(template, variable));
  return (
    <Table.Tr>
      <Table.Td>
        <Name variable={variable} where={where} />
      </Table.Td>
      <Table.Td className={classes.where}>{where}</Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          aria-label={t("variables.sampleAt", { name: `{{${variable.name}}}`, where })}
          placeholder={t("samplePlaceholder")}
          value={sample}
          onChange={({ currentTarget: { value } }) =>
            change((template) => withSampleAt(template, variable, value), variable.samplePath)
          }
        />
      </Table.Td>
    </Table.Tr>
  );
}

/** The place of a text in words. */
function useWhere(path: string): string {
  const { t } = useTranslation("composer");
  const { kind, card, ...rest } = useDerived(templateOf, (template) => whereIs(template, path));
  const label = t(`variables.where.${kind}`, { button: "button" in rest ? rest.button : 0 });
  return card === undefined ? label : t("variables.onCard", { card, place: label });
}

/** The name of a variable: Enter or leaving the field renames it in its text and its sample; Escape takes it back. */
function Name({ variable: { path, name }, where }: { variable: VariableUse; where: string }) {
  const { t } = useTranslation("composer");
  const rewrite = useRewrite();
  const [typed, setTyped] = useState<string>();
  const [failure, setFailure] = useState<DeskFailure>();
  const forget = () => {
    setTyped(undefined);
    setFailure(undefined);
  };

  const commit = async () => {
    const to = typed?.trim();
    if (to === undefined || to === name) return forget();
    const refused = await rewrite({ kind: "rename", path, from: name, to });
    if (refused) setFailure(refused);
    else forget();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      event.preventDefault();
      void commit();
    }
    if (event.key === "Escape" && typed !== undefined) {
      event.preventDefault();
      forget();
    }
  };

  return (
    <TextInput
      size="xs"
      aria-label={t("variables.nameAt", { name: `{{${name}}}`, where })}
      classNames={{ input: classes.mono }}
      leftSection={<span aria-hidden>{"{{"}</span>}
      rightSection={<span aria-hidden>{"}}"}</span>}
      autoComplete="off"
      spellCheck={false}
      value={typed ?? name}
      error={failure && sentence(failure)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => void commit()}
      onKeyDown={onKeyDown}
    />
  );
}

function sentence({ error, message }: DeskFailure): string {
  return "message" in error ? error.message : message;
}
