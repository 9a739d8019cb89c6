import type { Judge, Reference } from '../ports.ts'
import { jsonPath } from './json-path.ts'
import { number } from './number.ts'
import {
  type Finding,
  type Grade,
  type Judged,
  type ReferenceCheck,
  excerpt,
  jsonOfAnswer,
} from './reference-check.ts'
import { states, statesCheck } from './states.ts'
import { foldText } from '../../domain/text/word-rules.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { compiledSchema, type SchemaCheck } from './compiled-schema.ts'
import { matchesPattern, PatternError } from './guarded-pattern.ts'

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
const referenceJudgeName = 'reference'

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

function findingOf(reference: Reference, answer: Judged): Finding {
  if (answer.text.trim() === '') return { grade: 1, reason: 'The answer is empty.' }
  const check = checks[reference.kind] as ReferenceCheck<Reference['kind']> | undefined
  return (
    check?.(reference as never, answer) ?? {
      refusal: `A reference of kind "${String(reference.kind)}" is not known. Send one of ${Object.keys(checks).join(', ')}.`,
    }
  )
}
