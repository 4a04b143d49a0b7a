// Parts of a sentence that are read in a direction of their own (Unicode Standard Annex 9).

/** A phone number in a sentence: from the left, whatever is beside it. */
export const isolatedNumber = (number: string) => `\u2066${number}\u2069`;

/** A name in a sentence, in the direction of its first letter. */
export const isolatedName = (name: string) => `\u2068${name}\u2069`;
