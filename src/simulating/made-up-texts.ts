import { matchesPattern } from '../probing/judges/compiled-schema.ts'
import { type MakeText, type Random, wordsOf } from '../probing/writing/schema-arguments.ts'

/**
 * A text as answers have them: words, or the first of some common forms that the pattern of the schema admits.
 *
 * @throws PatternError when the pattern cannot be run
 */
export const madeUpText: MakeText = (schema, random) => {
  const { pattern, format } = schema
  if (format === 'uuid') return uuid(random)
  if (typeof pattern !== 'string') return wordsOf(schema, random)
  return forms.map((form) => form(random)).find((text) => matchesPattern(pattern, 'u', text))
}

const drawn =
  (alphabet: string) =>
  (random: Random, length: number): string =>
    Array.from({ length }, () => random.pick([...alphabet])).join('')
const hex = drawn('0123456789abcdef')
const digits = drawn('123456789')
const letters = drawn('abcdefghijklmnopqrstuvwxyz')

const uuid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`
const date = (random: Random): string =>
  `20${random.whole(20, 29)}-${random.whole(10, 12)}-${random.whole(10, 28)}`
const time = (random: Random): string => `${random.whole(10, 23)}:${random.whole(10, 59)}`

/** What patterns in schemas mostly mean. */
const forms: readonly ((random: Random) => string)[] = [
  date,
  time,
  (random) => `${time(random)}:00`,
  (random) => `${date(random)}T${time(random)}:00Z`,
  (random) => date(random).slice(0, 7),
  (random) => `20${random.whole(20, 29)}-W${random.whole(10, 52)}`,
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20].map((length) => (random: Random) => digits(random, length)),
  (random) => [1, 1, 1].map((length) => digits(random, length)).join('.'),
  uuid,
  ...[6, 8, 16, 24, 32, 40, 64].map((length) => (random: Random) => hex(random, length)),
  (random) => `#${hex(random, 6)}`,
  ...[2, 3, 4, 6, 8].flatMap((length) => [
    (random: Random) => letters(random, length),
    (random: Random) => letters(random, length).toUpperCase(),
  ]),
  (random) => `${letters(random, 4)}-${letters(random, 4)}`,
  (random) => `${letters(random, 3).toUpperCase()}-${digits(random, 3)}`,
  (random) => `https://example.org/${letters(random, 6)}`,
  (random) => `${letters(random, 6)}@example.org`,
  (random) => `${letters(random, 4)}/${letters(random, 4)}`,
  (random) => `/${letters(random, 4)}`,
  (random) => `+1${digits(random, 10)}`,
]
