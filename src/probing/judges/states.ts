import { type ReferenceCheck, excerpt } from './reference-check.ts'
import { foldText } from '../../domain/text/word-rules.ts'
import { writtenNumbers } from './written-numbers.ts'

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
export const statesCheck: ReferenceCheck<'states'> = ({ text: fact }, { text }) => {
  if (foldText(fact) === '')
    return { refusal: 'The reference is an empty text. Give the fact that a right answer states.' }
  return states(text, fact) || statesMoreExactly(text, fact)
    ? { grade: 5, reason: `The answer states ${excerpt(fact)}.` }
    : { grade: 1, reason: `The answer ${excerpt(text)} does not state ${excerpt(fact)}.` }
}
