import { foldText } from '../../domain/text/word-rules.ts'
import { excerpt } from './excerpt.ts'
import { jsonOfAnswer } from './json-of-answer.ts'
import type { Grade, Judged, ReferenceCheck } from './reference-check.ts'
import { states } from './states.ts'

/**
 * How much of a list the answer gives: F1 of items found and entries listed, 5 for all and nothing else, 4 from 0.8, 3 from 0.5, 2 above
 * 0, else 1. Entries can be counted where the answer is a JSON list or has a bulleted or numbered list; in prose only what is
 * missing counts.
 */
export const set: ReferenceCheck<'set'> = ({ items }, answer) => {
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
