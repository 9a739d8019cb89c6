/** The first so many characters of a text (UTF-16 units), and how many more there were. */
export const cutText = (text: string, characters: number): string =>
  text.length <= characters
    ? text
    : `${text.slice(0, characters).toWellFormed()}… (${text.length - characters} characters more)`
