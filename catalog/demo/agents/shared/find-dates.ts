import { type CivilDate, monthNames } from '../../../servers/calendar/civil-date.ts'
import { parseDate } from '../../../servers/calendar/parse-date.ts'

/** A date and where it stands in a text. */
export type FoundDate = { readonly date: CivilDate; readonly start: number; readonly end: number }

const month = `(?:${monthNames.map((name) => name.slice(0, 3)).join('|')})[a-z]*\\.?`
const forms = new RegExp(
  [
    '\\b\\d{4}-\\d{1,2}-\\d{1,2}\\b',
    '\\b\\d{1,2}([-/.])\\d{1,2}\\1\\d{4}\\b',
    `\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month},?\\s+\\d{4}\\b`,
    `\\b${month}\\s+(?:the\\s+)?\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4}\\b`,
  ].join('|'),
  'gi',
)

/** All full dates in a text, in order. @throws InputError for one that does not exist or can be read in two ways */
export const findDates = (text: string): readonly FoundDate[] =>
  [...text.matchAll(forms)].map((match) => ({
    date: parseDate(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }))

/** The text with its dates blanked out, so that their digits are not taken for other numbers. */
export const withoutDates = (text: string): string => text.replace(forms, (found) => ' '.repeat(found.length))
