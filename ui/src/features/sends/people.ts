// The people a message can be sent to, from where they are known.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { explicitNumber } from "@/lib/explicit-number";
import { queries } from "@/lib/ipc/queries";
import { sendsQueries } from "./queries";

export interface Person {
  /** Digits with country code; the user ID of a person who hides the number. */
  number: string;
  /** Empty where it is not known. */
  name: string;
  /** The number as people write it. */
  formatted: string;
}

export interface PeopleGroup {
  source: "phones" | "book" | "recent";
  people: Person[];
}

/** What a person is called whose number is `to`, as forms contain it: the name, else the number. */
export function personName(groups: readonly PeopleGroup[], to: string): string {
  const person = groups.flatMap(({ people }) => people).find(({ number }) => explicitNumber(number) === to.trim());
  return person?.name || person?.formatted || to.trim();
}

/** Phones of the sandbox, the address book and recent contacts; everybody is in the first group that has them. */
export function usePeople(workspace: string, sandbox: boolean): PeopleGroup[] {
  const phones = useQuery({ ...queries.phones(), enabled: sandbox }).data;
  const book = useQuery(queries.recipients({ workspace })).data?.rows;
  const recent = useQuery(sendsQueries.recentContacts(workspace)).data;
  return useMemo(() => {
    const names = new Map(book?.map(({ number, name }) => [number, name]));
    const seen = new Set<string>();
    const group = (source: PeopleGroup["source"], people: Person[]): PeopleGroup => ({
      source,
      people: people.filter(({ number }) => !seen.has(number) && seen.add(number)),
    });
    const groups = [
      group(
        "phones",
        (sandbox ? (phones ?? []) : []).map(({ recipient, name, formatted }) => ({
          number: recipient,
          name: names.get(recipient) || name || "",
          formatted,
        })),
      ),
      group("book", book ?? []),
      group(
        "recent",
        (recent ?? []).map((contact) => ({ ...contact, name: contact.name ?? "" })),
      ),
    ];
    return groups.filter(({ people }) => people.length > 0);
  }, [phones, book, recent, sandbox]);
}
