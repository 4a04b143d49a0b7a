const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A day as the channel writes it, such as "December 5, 2026" or "2026-12-05"; `undefined` if it may mean another day. */
export function readProviderDate(text: string): Date | undefined {
  const english = /^([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(text);
  if (english) return dayOf(english[3], MONTHS.indexOf(english[1] ?? "") + 1, english[2]);
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return iso ? dayOf(iso[1], iso[2], iso[3]) : undefined;
}

type Figure = string | number | undefined;

/** `undefined` for days that no calendar has. */
function dayOf(year: Figure, month: Figure, day: Figure): Date | undefined {
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date : undefined;
}
