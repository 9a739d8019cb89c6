import { stemmer } from 'stemmer'
import { irregularVerbs } from './effect.ts'
import { isPast } from './past-events.ts'

const baseOf: ReadonlyMap<string, string> = new Map(
  irregularVerbs.flatMap(([base = '', ...forms]) =>
    (forms.length === 0 ? [base] : forms).map((form) => [form, base] as const),
  ),
)

/** End as past forms do, and are none. */
const notPast = /^(?:need|feed|seed|speed|indeed|hundred|proceed|exceed|succeed|embed|unneed)$/

/** "shipped", "frozen", "unpaid". */
export const isPastForm = (word: string): boolean =>
  !notPast.test(word) && (isPast(word) || baseOf.has(word) || /[a-z]{2}ed$/.test(word))

/** The same for all forms of a verb: "ship", "shipped", "shipping"; "freeze", "frozen". */
export const verbStem = (word: string): string => stemmer(baseOf.get(word) ?? word)
