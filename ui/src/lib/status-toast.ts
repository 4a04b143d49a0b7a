/** Identifies the notification about the status of a template: each one replaces the one before. */
export const statusToast = (name: string, language: string) => `templateStatusChanged ${name} ${language}`;
