/** A number of things in words: `1 tool`, `12,000 tools`. */
export const countOf = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
