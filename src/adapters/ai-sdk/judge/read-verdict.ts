import { isJsonObject } from '../../../domain/json.ts'
import type { Grade } from '../../../probing/judges/reference-check.ts'

/** What a model said of an answer. */
export type GivenVerdict = { readonly grade: Grade; readonly reasoning: string }

const label = '(?:(?:final|overall|my|the)[\\s_-]+)?(?:grade|score|rating|verdict)'
const named = new RegExp(`^\\W*${label}\\W*$`, 'i')
const reasonNames = /^(?:reason(?:ing|s)?|rationale|explanation|justification|comments?|feedback)$/i
const words = ['one', 'two', 'three', 'four', 'five']

/** A whole grade from 1 to 5, perhaps "out of 5", and words without another number after it. */
const written = new RegExp(
  `^[\\s"'*_\`(]{0,20}(?:${label}[\\s"'*_\`:=]{0,20})?([1-5]|${words.join('|')})(?:\\.0+)?(?!\\d|\\.\\d)(?:\\s{0,8}(?:\\/|out of|of)\\s{0,8}(?:5|five)(?:\\.0+)?(?!\\d|\\.\\d))?` +
    '(?:\\s{0,8}(?:points?|stars?))?\\s{0,8}[*_`"\']{0,8}\\s{0,8}(?:$|[.,;:)\\-–—(][^\\d]*$)',
  'i',
)

/** The grade that a value is: a whole number from 1 to 5, or a text that says one and no other number; null otherwise. */
function gradeOf(value: unknown): Grade | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const found = written.exec(String(value).trim())?.[1]?.toLowerCase()
  if (found === undefined) return null
  const place = words.indexOf(found)
  return (place >= 0 ? place + 1 : Number(found)) as Grade
}

/** What an object says; undefined where it has nothing like a grade, null where its grade cannot be read. */
function verdictOf(value: unknown, depth = 2): GivenVerdict | null | undefined {
  if (Array.isArray(value))
    return value.length === 1 && depth >= 0 ? verdictOf(value[0], depth - 1) : undefined
  if (!isJsonObject(value) || depth < 0) return undefined
  const entries = Object.entries(value)
  const graded = entries.filter(([key]) => named.test(key))
  const bare = graded.filter(([, inner]) => !isJsonObject(inner))
  if (bare.length > 0) {
    const grades = new Set(bare.map(([, inner]) => gradeOf(inner)))
    const [grade = null] = grades
    const reason = entries.find(([key, inner]) => reasonNames.test(key.trim()) && typeof inner === 'string')
    return grades.size > 1 || grade === null ? null : { grade, reasoning: String(reason?.[1] ?? '') }
  }
  const inner = entries
    .map(([, nested]) => verdictOf(nested, depth - 1))
    .filter((found) => found !== undefined)
  return inner.length > 1 ? null : inner[0]
}

/**
 * The verdict in a model's answer: one JSON object, also with numbers for texts, other names of its fields, a code fence or words around
 * it, or a line such as "Grade: 4/5". Thinking before it does not count.
 *
 * @param answer - the answer that was graded. Where it speaks of grades itself, or stands in the text, only an object alone is taken,
 *   since the model may be quoting
 * @returns null when there is no grade, or not one alone
 */
export function readVerdict(text: string, answer: string): GivenVerdict | null {
  const spoken = text.replace(/^[\s\S]*<\/(?:think|thinking|thought|reasoning)>/i, '').trim()
  const alone = parsed(unfenced(spoken))
  if (alone !== undefined && typeof alone === 'object') {
    // JSON.parse keeps the last of two fields with one name.
    const fields = new Set(Array.from(spoken.matchAll(field), ([, value = '']) => value.trim()))
    return fields.size > 1 ? null : (verdictOf(alone) ?? null)
  }
  if (statedGrades(answer).length > 0) return null
  const bare = gradeOf(spoken)
  if (bare !== null && !spoken.includes('\n')) return { grade: bare, reasoning: '' }
  return inWords(spoken)
}

const field = new RegExp(
  `(?<!\\\\)"\\W{0,40}${label}\\W{0,40}(?<!\\\\)"\\s*:\\s*([^\\s{,}][^{,}\\n]*)`,
  'giu',
)

const unfenced = (text: string): string => /^```\w*[^\S\n]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const statement = new RegExp(
  `(?:^|[{,\\n])[^\\p{L}\\p{N}\\n]{0,40}${label}["'*_\`\\s]{0,40}(?::|=|\\bis\\b|-)([^\\n{,}]{1,80})`,
  'giu',
)

/** What is said after "grade:" and the like, at the head of lines and in objects; null for what is no grade. */
const statedGrades = (text: string): readonly (Grade | null)[] =>
  [...text.matchAll(statement)].flatMap(([, value = '']) => (value.trim() === '' ? [] : [gradeOf(value)]))

/** A verdict with words around it. The object must begin or end the text, or stand in lines of its own. */
function inWords(text: string): GivenVerdict | null {
  const [grade, ...others] = new Set(statedGrades(text))
  if (grade === undefined || grade === null || others.length > 0) return null
  for (const { 0: block, index } of text.matchAll(/\{[^{}]*\}/g)) {
    const found = verdictOf(parsed(block))
    if (found === undefined) continue
    const before = text.slice(0, index)
    const said = before.trimEnd()
    const standsAlone = said === '' || before.slice(said.length).includes('\n') || /(?:```\w*|:)$/.test(said)
    return found !== null && standsAlone ? found : null
  }
  const reasoning = text.replace(/[{}"`*]/g, ' ').trim()
  return { grade, reasoning }
}
