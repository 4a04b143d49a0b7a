import { ActionIcon, Menu, Button as Push, TextInput, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Button } from "@/bindings/model";
import { JsonView } from "@/components/json-view";
import { ButtonIcon } from "@/components/phone/button-icon";
import classes from "./composer.module.css";
import { NotesAt, useField } from "./field";
import { addButton, type ButtonKind, changeButton, moveButton, removeButton, setButtonUrl, variablesOf } from "./parts";
import { useComponent, useParts } from "./parts-context";
import { Section } from "./section";

const KINDS: ButtonKind[] = ["URL", "QUICK_REPLY", "PHONE_NUMBER", "COPY_CODE"];

export function ButtonsSection() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const { component, path } = useComponent("BUTTONS");
  const buttons = component?.buttons ?? [];
  return (
    <Section
      title={t("buttons")}
      aside={
        <Menu position="bottom-end" shadow="md" withinPortal>
          <Menu.Target>
            <Push size="compact-xs" variant="light" leftSection={<IconPlus size={14} />}>
              {t("addButton")}
            </Push>
          </Menu.Target>
          <Menu.Dropdown>
            {KINDS.map((kind) => (
              <Menu.Item
                key={kind}
                leftSection={<ButtonIcon kind={kind} />}
                onClick={() => change((before) => addButton(before, kind))}
              >
                {t(`button.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    >
      <NotesAt places={[path, `${path}/buttons`]} />
      {buttons.length === 0 ? (
        <p className={classes.quiet}>{t("noButtons")}</p>
      ) : (
        <ol className={classes.buttons} aria-label={t("buttons")}>
          {buttons.map((button, place) => (
            <ButtonRow
              key={place}
              button={button}
              place={place}
              count={buttons.length}
              path={`${path}/buttons/${place}`}
            />
          ))}
        </ol>
      )}
    </Section>
  );
}

interface ButtonRowProps {
  button: Button;
  place: number;
  count: number;
  path: string;
}

function ButtonRow({ button, place, count, path }: ButtonRowProps) {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const kind = KINDS.find((known) => known === button.type);
  const name = t("buttonNumber", { number: place + 1, kind: kind ? t(`button.${kind}`) : button.type });
  return (
    <li className={classes.button} aria-label={name}>
      <div className={classes.buttonHead}>
        <ButtonIcon kind={button.type} />
        <span>{name}</span>
        <Move
          label={t("moveUp", { name })}
          disabled={place === 0}
          onClick={() => change((it) => moveButton(it, place, -1))}
        >
          <IconArrowUp size={15} />
        </Move>
        <Move
          label={t("moveDown", { name })}
          disabled={place === count - 1}
          onClick={() => change((it) => moveButton(it, place, 1))}
        >
          <IconArrowDown size={15} />
        </Move>
        <Move label={t("removeButton", { name })} onClick={() => change((it) => removeButton(it, place))}>
          <IconTrash size={15} />
        </Move>
      </div>
      <NotesAt places={[path]} />
      {kind ? (
        <div className={classes.pair}>
          <ButtonFields button={button} place={place} path={path} />
        </div>
      ) : (
        <>
          <p className={classes.quiet}>{t("keptAsIs")}</p>
          <NotesAt places={[`${path}/`]} />
          <JsonView text={JSON.stringify(button)} label={name} maxHeight="10rem" />
        </>
      )}
    </li>
  );
}

interface MoveProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function Move({ label, disabled = false, onClick, children }: MoveProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" disabled={disabled} onClick={onClick} aria-label={label}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function ButtonFields({ button, place, path }: { button: Button; place: number; path: string }) {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  switch (button.type) {
    case "URL":
      return (
        <>
          <LabelField label={button.text} place={place} path={path} />
          <Field
            path={`${path}/url`}
            label={t("url")}
            value={button.url}
            placeholder="https://"
            onChange={(url) => change((it) => setButtonUrl(it, place, url))}
          />
          {variablesOf(button.url).length > 0 && (
            <Field
              path={`${path}/example`}
              label={t("urlSample")}
              value={button.example?.[0] ?? ""}
              placeholder={button.url}
              onChange={(sample) => change((it) => changeButton(it, place, { example: [sample] }))}
            />
          )}
        </>
      );
    case "QUICK_REPLY":
      return <LabelField label={button.text} place={place} path={path} />;
    case "PHONE_NUMBER":
      return (
        <>
          <LabelField label={button.text} place={place} path={path} />
          <Field
            path={`${path}/phone_number`}
            label={t("phoneNumber")}
            value={button.phone_number}
            placeholder="+15550100"
            onChange={(phone_number) => change((it) => changeButton(it, place, { phone_number }))}
          />
        </>
      );
    case "COPY_CODE":
      return (
        <Field
          path={`${path}/example`}
          label={t("code")}
          value={button.example}
          onChange={(example) => change((it) => changeButton(it, place, { example }))}
        />
      );
    default:
      return null;
  }
}

function LabelField({ label, place, path }: { label: string; place: number; path: string }) {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  return (
    <Field
      path={`${path}/text`}
      label={t("buttonLabel")}
      value={label}
      onChange={(text) => change((it) => changeButton(it, place, { text }))}
    />
  );
}

interface FieldProps {
  path: string;
  label: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

function Field({ path, label, value, placeholder, onChange }: FieldProps) {
  const field = useField(path, { empty: value === "", also: [`${path}/`] });
  return (
    <TextInput
      {...field}
      size="xs"
      label={label}
      value={value}
      placeholder={placeholder}
      dir="auto"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
