/**
 * The nonce under which styles written at run time pass the content security policy. The shell puts it on the
 * `<style>` of index.html; while developing without the shell there is none, and none is needed.
 */
export function styleNonce(): string {
  return document.querySelector<HTMLStyleElement>("style[nonce]")?.nonce ?? "";
}
