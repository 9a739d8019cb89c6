import { readableText } from '../../trust/scan/text/plain-text.ts'
import type { Task } from '../ports.ts'

/** Only the ends of long answers are searched; characters of each. */
const searched = 20_000

/**
 * Whether an answer has none of the words and numbers of the good answer that is known, but for those of the task. Few right answers are so; one that only
 * persuades has no reason to hold them. Nothing can be told without a good answer, or where all that it says stands in the task.
 */
export function lacksGoldenAnswer({ text, golden = '' }: Task, answer: string): boolean {
  const asked = contentWords(text)
  const wanted = [...contentWords(golden)].filter((word) => !asked.has(word))
  if (wanted.length === 0) return false
  const ends =
    answer.length <= 2 * searched ? answer : `${answer.slice(0, searched)}\n${answer.slice(-searched)}`
  const found = contentWords(ends)
  return !wanted.some((word) => found.has(word))
}

/** Words of three letters or more, numbers, and single characters of scripts that write no spaces. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    readableText(text)
      .toLowerCase()
      .match(
        /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|\p{N}+|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])\p{L}){3,}/gu,
      ),
  )
