// The fake host's files: retention, backups, and checks, which finish after a moment.

import type { DeskEvent, RetentionPolicy, RetentionPreview, StorageState } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { NOW } from "./fixtures";

type Commands =
  | "get_storage"
  | "preview_retention"
  | "set_retention"
  | "apply_retention"
  | "back_up"
  | "check_backup"
  | "restore_backup"
  | "cancel_restore"
  | "check_files";

const DAY = 86_400_000;

export function storageHandlers(emit: (event: DeskEvent) => void, chosen: URLSearchParams): Pick<Handlers, Commands> {
  const damaged = chosen.get("storage") === "damaged";
  let state: StorageState = {
    folder: "/home/ana/.local/share/template-desk",
    files: [
      { name: "inbox.sqlite", bytes: 4_812_390_400 },
      { name: "desk.sqlite", bytes: 18_350_080 },
      { name: "cache.sqlite", bytes: 2_190_433_280 },
    ],
    deliveryLog: { deliveries: 6_204_118, firstAt: NOW - 412 * DAY, lastAt: NOW - 180_000 },
    retention: { rules: [] },
    lastStop: damaged ? "unclean" : "clean",
    check: damaged
      ? {
          state: "damaged",
          at: NOW - 3_600_000,
          findings: ["inbox.sqlite: 2 pages cannot be read. What can be read is taken over at the next start."],
        }
      : { state: "ok", at: NOW - 2 * DAY, findings: [] },
    lastBackup: { path: "/media/ana/backup/template-desk-2026-11-13", at: NOW - 7 * DAY },
    pendingRestore:
      chosen.get("storage") === "restore"
        ? { path: "/media/ana/backup/template-desk-2026-11-13", at: NOW - 7 * DAY }
        : null,
    setAside: damaged
      ? [
          {
            path: "/home/ana/.local/share/template-desk/aside/inbox-2026-10-02.sqlite",
            at: NOW - 49 * DAY,
            reason: "it was damaged: a page could not be read",
            recovered: 5_881_204,
            lost: 3,
          },
        ]
      : [],
  };
  const preview = ({ rules }: RetentionPolicy): RetentionPreview => {
    const days = Math.max(0, ...rules.map((rule) => rule.days));
    // Most deliveries contain statuses, so without a rule for statuses almost none is removed.
    if (!rules.some(({ kind }) => kind === "status") || days >= 412) return { deliveries: 0, bytes: 0, kinds: [] };
    const deliveries = Math.round(state.deliveryLog.deliveries * (1 - days / 412));
    return {
      deliveries,
      bytes: deliveries * 712,
      kinds: rules.map(({ kind }) => ({ kind, items: kind === "status" ? Math.round(deliveries * 0.9) : 12_044 })),
      before: NOW - days * DAY,
    };
  };
  const checked = ({ rules }: RetentionPolicy) => {
    for (const { days } of rules) {
      if (!Number.isInteger(days) || days < 1 || days > 36_500) {
        refusal({ code: "invalidInput", field: "days", message: "Deliveries are kept for 1 to 36500 days." });
      }
    }
  };
  return {
    get_storage: () => state,
    preview_retention: (policy) => {
      checked(policy);
      return preview(policy);
    },
    set_retention: (policy) => {
      checked(policy);
      state = { ...state, retention: policy };
      return state;
    },
    apply_retention: () => {
      const { deliveries, bytes } = preview(state.retention);
      const left = state.deliveryLog.deliveries - deliveries;
      state = { ...state, deliveryLog: { ...state.deliveryLog, deliveries: left } };
      emit({ type: "storageChanged" });
      return { deliveries, bytes };
    },
    back_up: () => {
      const made = { path: "/media/ana/backup/template-desk-2026-11-20", at: NOW };
      state = { ...state, lastBackup: made };
      return { ...made, bytes: 4_830_740_480, deliveries: state.deliveryLog.deliveries, checked: true };
    },
    check_backup: () => {
      const mark = state.lastBackup ?? refusal({ code: "file", name: "backup", reason: "it is no backup" });
      return { ...mark, bytes: 4_700_000_000, deliveries: 6_100_000, checked: true };
    },
    restore_backup: () => {
      const backup = state.lastBackup ?? refusal({ code: "file", name: "backup", reason: "it is no backup" });
      state = { ...state, pendingRestore: backup };
      return {
        backup: { ...backup, bytes: 4_700_000_000, deliveries: 6_100_000, checked: true },
        newerDeliveries: 104_118,
      };
    },
    cancel_restore: () => {
      state = { ...state, pendingRestore: null };
      return state;
    },
    check_files: () => {
      state = { ...state, check: { ...state.check, state: "running" } };
      setTimeout(() => {
        state = { ...state, check: { state: "ok", at: NOW, findings: [] } };
        emit({ type: "storageChanged" });
      }, 300);
      return state;
    },
  };
}
