/**
 * A number of things in words: `1 tool`, `12,000 tools`.
 *
 * @param many - what several are called. @defaultValue one with an s
 */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
