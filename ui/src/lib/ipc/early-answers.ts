import type { CommandName, Host, RequestOf, ResponseOf } from "./host";

/** What every start asks for before it shows anything. */
const EARLY = ["get_bootstrap", "list_unfinished_forms"] as const satisfies CommandName[];

/** Asks for what a start needs at once, while the app is still being loaded; the first to ask gets that answer. */
export function askEarly(host: Host): Host {
  const answers = new Map<CommandName, Promise<unknown>>();
  for (const name of EARLY) {
    const answer = host.call(name, {});
    // Whoever asks for it handles the failure; until then it is not an unhandled one.
    answer.then(
      () => performance.mark(`${name} answered`),
      () => undefined,
    );
    answers.set(name, answer);
  }
  return {
    ...host,
    call<C extends CommandName>(name: C, request: RequestOf<C>) {
      const answer = answers.get(name) as Promise<ResponseOf<C>> | undefined;
      answers.delete(name);
      return answer ?? host.call(name, request);
    },
  };
}
