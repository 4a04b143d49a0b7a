import { useQuery } from "@tanstack/react-query";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";

/** The languages that templates can have, named as people of the app's language say them, with their codes. */
export function useLanguageOptions() {
  const query = useQuery(queries.languages());
  const languageName = useLanguageName();
  const options = (query.data ?? []).map(({ code, name }) => {
    const own = languageName(code);
    return { value: code, label: `${own === code ? name : own} (${code})` };
  });
  return { query, options };
}
