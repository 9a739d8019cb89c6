/** The first person, and questions; not the country "US", "Part I" at an end, or the "me" of "ME". */
const speaker =
  /(?<![\p{L}\p{N}'’./-])(?:[Ii](?=['’\s])|[Ii]m|[Mm]e|[Mm]y|[Mm]ine|[Ww]e(?=['’\s])|us|Us|[Oo]urs?)(?![\p{L}\p{N}_-])/u

/** Numbers of one case: house numbers, amounts, codes; not years, of which descriptions speak too. */
const particular = /(?<![\p{L}\p{N}.])(?!(?:19|20)\d\d(?!\d))\d{4,}(?![\p{L}\p{N}])|[$€£]\d/u

/**
 * Whether a text is one person's request: first person, a question, or a number of one case. One that is not may be a
 * description that somebody looks for, word for word.
 */
export const isRequestLike = (text: string): boolean =>
  /[?？؟]/u.test(text) || speaker.test(text) || particular.test(text)
