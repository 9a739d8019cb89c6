/** A sign that nobody types, between a request as it was written and its English. */
const border = ' \u001f '

/** Both, for models that know other languages a little. */
export const besideEnglish = (written: string, english: string): string => written + border + english

/** The English of both, for models that know no other language; any other text is itself. */
export const englishAlone = (text: string): string =>
  text.includes(border) ? text.slice(text.lastIndexOf(border) + border.length) : text
