import * as z from 'zod'

/** A finite number with its description for the caller. */
export const numberField = (describes: string) => z.number().describe(describes)

/** A whole number within bounds. */
export const wholeField = (least: number, most: number, describes: string) =>
  z.int().min(least).max(most).describe(`${describes} Whole number from ${least} to ${most}.`)

/** A short text. */
export const lineField = (describes: string) => z.string().max(2000).describe(describes)

/** A text as long as a small file. */
export const textField = (describes: string) => z.string().max(500_000).describe(describes)
