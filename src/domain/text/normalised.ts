/** Marks on one letter beyond those of any language: normalising takes quadratic time in their number (UAX 15, 13). */
const endlessMarks = /(\p{M}{30})\p{M}+/gu

/** The text in a normalisation form, in time linear in its length: of the marks on one letter the first 30 count. */
export const normalised = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(endlessMarks, '$1').normalize(form)
