import "i18next";
import type activity from "@/locales/en/activity.json";
import type batches from "@/locales/en/batches.json";
import type bulkActions from "@/locales/en/bulkActions.json";
import type common from "@/locales/en/common.json";
import type composer from "@/locales/en/composer.json";
import type costs from "@/locales/en/costs.json";
import type doctor from "@/locales/en/doctor.json";
import type errorCodes from "@/locales/en/errorCodes.json";
import type errors from "@/locales/en/errors.json";
import type exports from "@/locales/en/exports.json";
import type filters from "@/locales/en/filters.json";
import type findings from "@/locales/en/findings.json";
import type help from "@/locales/en/help.json";
import type history from "@/locales/en/history.json";
import type importing from "@/locales/en/import.json";
import type inbox from "@/locales/en/inbox.json";
import type insights from "@/locales/en/insights.json";
import type matrix from "@/locales/en/matrix.json";
import type phone from "@/locales/en/phone.json";
import type review from "@/locales/en/review.json";
import type sandboxPhone from "@/locales/en/sandboxPhone.json";
import type sendProblems from "@/locales/en/sendProblems.json";
import type sends from "@/locales/en/sends.json";
import type settings from "@/locales/en/settings.json";
import type shell from "@/locales/en/shell.json";
import type storage from "@/locales/en/storage.json";
import type support from "@/locales/en/support.json";
import type templates from "@/locales/en/templates.json";
import type tour from "@/locales/en/tour.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: {
      activity: typeof activity;
      batches: typeof batches;
      common: typeof common;
      composer: typeof composer;
      costs: typeof costs;
      doctor: typeof doctor;
      errorCodes: typeof errorCodes;
      errors: typeof errors;
      exports: typeof exports;
      filters: typeof filters;
      findings: typeof findings;
      tour: typeof tour;
      help: typeof help;
      history: typeof history;
      import: typeof importing;
      inbox: typeof inbox;
      insights: typeof insights;
      matrix: typeof matrix;
      bulkActions: typeof bulkActions;
      phone: typeof phone;
      review: typeof review;
      sandboxPhone: typeof sandboxPhone;
      sendProblems: typeof sendProblems;
      sends: typeof sends;
      settings: typeof settings;
      shell: typeof shell;
      storage: typeof storage;
      support: typeof support;
      templates: typeof templates;
    };
  }
}
