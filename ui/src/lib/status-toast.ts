/** Identifies the notification about the status of a template: each one replaces the one before. */
export const statusToast = (name: string, language: string) => `templateStatusChanged ${name} ${language}`;

/** How long a change that this window asked for is expected, in milliseconds: webhooks may take minutes. */
const EXPECTED_TIME = 5 * 60_000;

const expected = new Map<string, number>();

const changeKey = (workspace: string, name: string, language: string, status: string) =>
  JSON.stringify([workspace, name, language, status]);

/** Notes that this window asked for a status of a template and says so itself. */
export function expectStatus(workspace: string, name: string, language: string, status: string): void {
  const now = Date.now();
  for (const [key, until] of expected) if (until < now) expected.delete(key);
  expected.set(changeKey(workspace, name, language, status), now + EXPECTED_TIME);
}

/** Whether a status of a template was asked for here a moment ago: each account reports it. */
export function isExpectedStatus(workspace: string, name: string, language: string, status: string): boolean {
  return (expected.get(changeKey(workspace, name, language, status)) ?? 0) >= Date.now();
}
