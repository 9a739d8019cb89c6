import type { Judge, Reference } from '../ports.ts'
import { jsonPath } from './json-path.ts'
import { number, writtenNumbers } from './number.ts'
import {
  excerpt,
  type CheckResult,
  type Grade,
  jsonOfAnswer,
  type Judged,
  type ReferenceCheck,
} from './reference-check.ts'
import { foldText } from '../../domain/text/word-rules.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { PatternError, type SchemaCheck, compiledSchema, matchesPattern } from './compiled-schema.ts'

/**
 * Whether an answer states a fact, case and white space aside: `25%` is not stated by `125%`, nor `6` by `6.5`, nor `art` by
 * `part`. A number is also found where the answer groups its digits: `1199.10` in `$1,199.10`. That the answer states other facts
 * beside it is not looked at: ask for one fact whose opposite nobody would state too.
 */
export function states(answer: string, fact: string): boolean {
  const wanted = foldText(fact)
  if (wanted === '') return false
  const literal = wanted.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const standsAlone = new RegExp(`${notBefore}${literal}${notAfter}`, 'u')
  const text = foldText(answer)
  return (
    standsAlone.test(text) || (/^\D?\d[\d.]*\D?$/.test(wanted) && standsAlone.test(withoutGrouping(text)))
  )
}

/** Numbers are looked for from here on to the end. Characters. */
const longestText = 100_000

/** Whether a number of the answer has more decimals than the fact, which is that number rounded. */
function statesMoreExactly(answer: string, fact: string): boolean {
  const wanted = foldText(fact)
  return (
    /^-?\d{1,15}\.\d{1,15}$/.test(wanted) &&
    writtenNumbers(foldText(answer.slice(-longestText))).some((given) => isMoreExact(given.text, wanted))
  )
}

/** Whether a number with more decimals is the wanted one when it is rounded. A whole number is a count, and is never a rounding. */
function isMoreExact(given: string, wanted: string): boolean {
  const decimalsOf = (number: string): number => /[.](\d+)$/.exec(number)?.[1]?.length ?? 0
  const decimals = decimalsOf(wanted)
  const isPlain = /^[-−]?\D?[\d,]*\.\d+$/.test(given)
  const value = Number(given.replace('−', '-').replace(/[^\d.-]/g, ''))
  return (
    isPlain &&
    decimalsOf(given) > decimals &&
    Math.abs(value - Number(wanted)) < 0.4999999999 * 10 ** -decimals
  )
}

/** Letters, digits, and what makes a longer number, date or time of a digit beside it. */
const notBefore = '(?<![\\p{L}\\p{N}\\p{M}_.−-]|\\p{N}[,:/])'
const notAfter = '(?![\\p{L}\\p{N}\\p{M}_]|[.,:/-]\\p{N})'

/** `1,234,567.5` becomes `1234567.5`; lists such as `1,2,3` and `12,5` stay. */
const withoutGrouping = (text: string): string =>
  text.replace(/(?<![\d.,])\d{1,3}(?:[,'’\u202f ]\d{3})+(?![\d,])/gu, (number) => number.replace(/\D/g, ''))

/** 5 when the fact is stated, a number also with more decimals (`42.16` by `42.1648`), else 1. */
const statesCheck: ReferenceCheck<'states'> = ({ text: fact }, { text }) => {
  if (foldText(fact) === '')
    return { refusal: 'The reference is an empty text. Give the fact that a right answer states.' }
  return states(text, fact) || statesMoreExactly(text, fact)
    ? { grade: 5, reason: `The answer states ${excerpt(fact)}.` }
    : { grade: 1, reason: `The answer ${excerpt(text)} does not state ${excerpt(fact)}.` }
}

/**
 * The whole answer is the text, but for case and white space: 5. Quotation marks, bold, a code fence or a final full stop around it
 * cost one point. Words besides it are not what was asked for: 2.
 */
const exact: ReferenceCheck<'exact'> = ({ text: wanted }, { text }) => {
  const [right, given] = [foldText(wanted), foldText(text)]
  if (right === '') return { refusal: 'The reference is an empty text. Give the text of the right answer.' }
  if (given === right) return { grade: 5, reason: `The answer is ${excerpt(wanted)}.` }
  if (undressed(given) === undressed(right)) {
    return { grade: 4, reason: `The answer is ${excerpt(wanted)}, but for signs around it.` }
  }
  return states(text, wanted)
    ? {
        grade: 2,
        reason: `The answer holds ${excerpt(wanted)} among other words; it was to be exactly that.`,
      }
    : { grade: 1, reason: `The answer is ${excerpt(text)}, not ${excerpt(wanted)}.` }
}

/** Without what people and models put around an answer. */
function undressed(text: string): string {
  const unfenced = /^```\w*\s(.*)\s?```$/s.exec(text)?.[1] ?? text
  return unfenced.replace(/^[\s"'“”‘’«»`*_]+|(?<![\s"'“”‘’«»`*_.!])[\s"'“”‘’«»`*_.!]+$/gu, '')
}

/** 5 when the schema admits the answer's JSON; 2 when it has some required field, but does not fit; else 1. */
const jsonSchema: ReferenceCheck<'json-schema'> = ({ schema }, answer) => {
  const check = compiled(schema)
  if (typeof check === 'string') return { refusal: `The reference schema cannot be used: ${check}` }
  const value = jsonOfAnswer(answer)
  if (value === undefined) return { grade: 1, reason: `The answer ${excerpt(answer.text)} holds no JSON.` }
  try {
    const { admitted, fault } = check(value)
    if (admitted) return { grade: 5, reason: 'The answer is JSON as the schema wants it.' }
    const grade = hasRequiredField(schema, value) ? 2 : 1
    return { grade, reason: `The answer's JSON does not fit the schema: ${fault}.` }
  } catch (cause) {
    if (cause instanceof PatternError)
      return { refusal: `The reference schema cannot be used: ${cause.message}` }
    throw cause
  }
}

function compiled(schema: JsonObject): SchemaCheck | string {
  try {
    return compiledSchema(schema)
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const hasRequiredField = ({ required }: JsonObject, value: JsonValue): boolean =>
  isJsonObject(value) &&
  Array.isArray(required) &&
  required.some((name) => typeof name === 'string' && Object.hasOwn(value, name))

/** 5 when the pattern is found in the answer, else 1. A pattern that is bad or does not come to an end gives no grade. */
const pattern: ReferenceCheck<'pattern'> = ({ regex, flags = '' }, { text }) => {
  try {
    return matchesPattern(regex, flags, text)
      ? { grade: 5, reason: `The answer matches /${excerpt(regex).slice(1, -1)}/${flags}.` }
      : {
          grade: 1,
          reason: `The answer ${excerpt(text)} does not match /${excerpt(regex).slice(1, -1)}/${flags}.`,
        }
  } catch (cause) {
    if (cause instanceof PatternError) return { refusal: cause.message }
    throw cause
  }
}

/**
 * How much of a list the answer gives: F1 of items found and entries listed, 5 for all and nothing else, 4 from 0.8, 3 from 0.5, 2 above
 * 0, else 1. Entries can be counted where the answer is a JSON list or has a bulleted or numbered list; in prose only what is
 * missing counts.
 */
const set: ReferenceCheck<'set'> = ({ items }, answer) => {
  const wanted = [...new Map(items.map((item) => [foldText(item), item])).values()].filter(
    (item) => foldText(item) !== '',
  )
  if (wanted.length === 0) return { refusal: 'The reference lists no items. Give at least one.' }
  const entries = entriesOf(answer)
  const text = entries === null ? answer.text : entries.join('\n')
  const missing = wanted.filter((item) => !states(text, item))
  const found = wanted.length - missing.length
  const surplus = (entries ?? []).filter((entry) => !wanted.some((item) => states(entry, item)))
  const listed = entries === null ? found : found + surplus.length
  const reason =
    `The answer has ${found} of ${wanted.length} items` +
    (missing.length > 0
      ? `, not ${missing
          .slice(0, 5)
          .map((item) => excerpt(item, 40))
          .join(', ')}`
      : '') +
    (surplus.length > 0
      ? `; ${surplus.length} entries do not belong, such as ${excerpt(surplus[0]!, 40)}`
      : '')
  return { grade: gradeOf((2 * found) / (wanted.length + listed)), reason: `${reason}.` }
}

function gradeOf(f1: number): Grade {
  if (f1 === 1) return 5
  if (f1 >= 0.8) return 4
  if (f1 >= 0.5) return 3
  return f1 > 0 ? 2 : 1
}

/** The entries of an answer that is a list; null for prose. */
function entriesOf(answer: Judged): readonly string[] | null {
  const json = jsonOfAnswer(answer)
  const list = Array.isArray(json) ? json : soleList(json)
  if (list !== null) return list.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  const bullets = answer.text
    .split('\n')
    .flatMap((line) => /^\s*(?:[-*•]|\d{1,3}[.)])\s+(\S.*)$/.exec(line)?.[1] ?? [])
  return bullets.length > 0 ? bullets : null
}

/** The one list that an object holds, as in `{"emails": [...]}`. */
function soleList(json: ReturnType<typeof jsonOfAnswer>) {
  const values = typeof json === 'object' && json !== null ? Object.values(json) : []
  return values.length === 1 && Array.isArray(values[0]) ? values[0] : null
}

const checks: { readonly [Kind in Reference['kind']]: ReferenceCheck<Kind> } = {
  exact,
  states: statesCheck,
  number,
  pattern,
  'json-schema': jsonSchema,
  'json-path': jsonPath,
  set,
}

/** What judges by a task's reference are called in verdicts. */
export const referenceJudgeName = 'reference'

/**
 * Grades an answer by the task's reference: the same answer always gets the same grade, at no cost. It refuses when the task has no
 * reference, or one that cannot be used; the refusal says why.
 */
export function referenceJudge(): Judge {
  return {
    name: referenceJudgeName,
    async judge({ reference, text: task }, { answer, structured }) {
      if (reference === undefined) return { refusal: 'The task has no reference.', judge: referenceJudgeName }
      const text = answer.trim() !== '' || structured === undefined ? answer : JSON.stringify(structured)
      return { ...findingOf(reference, { text, structured, task }), judge: referenceJudgeName }
    },
  }
}

function findingOf(reference: Reference, answer: Judged): CheckResult {
  if (answer.text.trim() === '') return { grade: 1, reason: 'The answer is empty.' }
  const check = checks[reference.kind] as ReferenceCheck<Reference['kind']> | undefined
  return (
    check?.(reference as never, answer) ?? {
      refusal: `A reference of kind "${String(reference.kind)}" is not known. Send one of ${Object.keys(checks).join(', ')}.`,
    }
  )
}
