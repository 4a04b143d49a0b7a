/** The last part of a path of the sandbox in camel case, such as `delayMs` of `/delivery/delay_ms`. */
export function fieldName(path: string): string {
  const last = path.split(/[/.]/).at(-1) ?? "";
  return last.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
