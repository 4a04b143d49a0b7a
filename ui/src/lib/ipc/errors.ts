// Every rejection becomes one kind of error here. Command errors arrive as the serialised `DeskError`; failures of
// the framework (unknown command, malformed argument, denied permission) arrive as bare strings.

import type { DeskError } from "@/bindings/app";

export type DeskErrorCode = DeskError["code"];

const CODES: Record<DeskErrorCode, true> = {
  unauthorized: true,
  missingCredentials: true,
  credentialsForOtherAddress: true,
  mediaHostUnconfirmed: true,
  offline: true,
  timedOut: true,
  tookTooLong: true,
  invalidInput: true,
  conflict: true,
  notFound: true,
  rateLimited: true,
  service: true,
  unreadable: true,
  file: true,
  keyringUnavailable: true,
  storage: true,
  outcomeUnknown: true,
  cancelled: true,
  internal: true,
};

/** Whether a file that was chosen for a batch is not there any more: the host keeps it until it ends. */
export function isChosenFileGone(failure: DeskFailure | null): boolean {
  return failure?.error.code === "notFound" && failure.error.missing === "chosenFile";
}

export class DeskFailure extends Error {
  override readonly name = "DeskFailure";
  readonly error: DeskError;

  constructor(error: DeskError, cause?: unknown) {
    super(summary(error), { cause });
    this.error = error;
  }

  get code(): DeskErrorCode {
    return this.error.code;
  }
}

export function toFailure(reason: unknown): DeskFailure {
  if (reason instanceof DeskFailure) return reason;
  if (isDeskError(reason)) return new DeskFailure(reason);
  return new DeskFailure({ code: "internal", message: words(reason) }, reason);
}

function isDeskError(reason: unknown): reason is DeskError {
  return (
    typeof reason === "object" &&
    reason !== null &&
    "code" in reason &&
    typeof reason.code === "string" &&
    Object.hasOwn(CODES, reason.code)
  );
}

function words(reason: unknown): string {
  if (typeof reason === "string") return reason;
  if (reason instanceof Error) return reason.message;
  try {
    return JSON.stringify(reason) ?? String(reason);
  } catch {
    return String(reason);
  }
}

/** For logs and stack traces; people are shown `ErrorNotice`. */
function summary(error: DeskError): string {
  if ("message" in error) return `${error.code}: ${error.message}`;
  if ("reason" in error) return `${error.code}: ${error.reason}`;
  return error.code;
}
