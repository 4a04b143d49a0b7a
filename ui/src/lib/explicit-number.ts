/**
 * A known number as a text that has its country code, whatever the country of other numbers is. The identifier of a
 * contact who hides the number stays as it is.
 */
export const explicitNumber = (number: string): string => (/^\d+$/.test(number) ? `+${number}` : number);
