import { excerpt } from './excerpt.ts'
import type { ReferenceCheck } from './reference-check.ts'
import { foldText } from '../../domain/text/word-rules.ts'
import { states } from './states.ts'

/**
 * The whole answer is the text, but for case and white space: 5. Quotation marks, bold, a code fence or a final full stop around it
 * cost one point. Words besides it are not what was asked for: 2.
 */
export const exact: ReferenceCheck<'exact'> = ({ text: wanted }, { text }) => {
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
