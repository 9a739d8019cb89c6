import { type ReferenceCheck, excerpt } from './reference-check.ts'
import { type WrittenNumber, writtenNumbers } from './written-numbers.ts'

/** Texts are searched from here on to their end; the answer stands last. Characters. */
const longestText = 100_000

/** Rounding noise of binary arithmetic, as a share of the value; what a reference without tolerance forgives. */
const noise = 1e-9

/**
 * Whether the number that the answer gives is the right one: within `tolerance` (absolute, default: rounding noise) 5. A right
 * number that rounds the value to at least three digits, or one that stands elsewhere in the answer, is part of it: 3. Else 1.
 *
 * The number that the answer gives is, by the first rule that fits: the first one after the last "answer is", "answer:", `####` or
 * `\boxed`; the last one set in bold; the last one that the task does not state (so that "1,199.10 over 360 months" gives
 * 1,199.10 when 360 months were asked about); the last one.
 */
export const number: ReferenceCheck<'number'> = ({ value, tolerance }, { text, structured, task }) => {
  if (!Number.isFinite(value))
    return { refusal: 'The reference has no finite number. Give "value" as a number.' }
  if (tolerance !== undefined && !(tolerance >= 0)) {
    return { refusal: `The reference has a tolerance of ${tolerance}. Give a number of 0 or more.` }
  }
  const allowed = tolerance ?? Math.abs(value) * noise
  const isRight = ({ readings }: WrittenNumber) =>
    readings.some((reading) => Math.abs(reading - value) <= allowed + 1e-12 * Math.abs(value))
  if (typeof structured === 'number' && Math.abs(structured - value) <= allowed) {
    return { grade: 5, reason: `The answer is ${structured}, as expected.` }
  }
  const tail = text.slice(-longestText)
  const numbers = writtenNumbers(tail)
  const given = givenNumber(tail, numbers, writtenNumbers(task.slice(-longestText)))
  if (given === undefined)
    return { grade: 1, reason: `The answer ${excerpt(text)} holds no number; ${value} was expected.` }
  if (isRight(given)) return { grade: 5, reason: `The answer gives ${excerpt(given.text)}, as expected.` }
  if (tolerance === undefined && given.readings.some((reading) => roundsTo(value, reading, given.text))) {
    return { grade: 3, reason: `The answer gives ${excerpt(given.text)}, which rounds ${value}.` }
  }
  return numbers.some(isRight)
    ? { grade: 3, reason: `The answer mentions ${value}, but gives ${excerpt(given.text)}.` }
    : { grade: 1, reason: `The answer gives ${excerpt(given.text)}; ${value} was expected.` }
}

function givenNumber(
  text: string,
  numbers: readonly WrittenNumber[],
  asked: readonly WrittenNumber[],
): WrittenNumber | undefined {
  const marked = [...text.matchAll(/\banswer(?:\s+(?:is|would be|comes to)|\s*[:=])|####|\\boxed\{/gi)].at(-1)
  const afterMark = marked && numbers.find(({ at }) => at >= marked.index + marked[0].length)
  if (afterMark) return afterMark
  const bold = [...text.matchAll(/\*\*([^*\n]{1,200})\*\*/g)]
    .flatMap((match) => numbers.filter(({ at }) => at > match.index && at < match.index + match[0].length))
    .at(-1)
  if (bold) return bold
  const stated = new Set(asked.flatMap(({ readings }) => readings))
  return (
    numbers.filter(({ readings }) => !readings.some((reading) => stated.has(reading))).at(-1) ??
    numbers.at(-1)
  )
}

/** Whether a number as written is the value rounded to the digits that it shows, at least three significant ones. */
function roundsTo(value: number, reading: number, written: string): boolean {
  const digits = written.replace(/\D/g, '').replace(/^0+/, '')
  const decimals = /[.](\d+)\D*$/.exec(written)?.[1]?.length ?? 0
  return (
    digits.length >= 3 &&
    decimals > 0 &&
    Math.abs(reading - value) <= 0.5 * 10 ** -decimals + Math.abs(value) * noise
  )
}
