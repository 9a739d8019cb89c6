/** How a list is gone through: so many places at once, each time so many further to the front. */
export type Windows = { readonly window: number; readonly step: number }

/**
 * Puts a list in order through windows, from the back to the front: the best of each window are in the next one as well, so that what
 * stands last may come first.
 *
 * @param length - of the list
 * @param order - the places of one window as they stand, best first; gives back these places, each once
 * @returns places of the list, best first
 * @see Sun et al., Is ChatGPT Good at Search?, 2023, arXiv 2304.09542
 */
export async function bySlidingWindows(
  length: number,
  { window, step }: Windows,
  order: (places: readonly number[]) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const list = [...Array(length).keys()]
  for (let end = length; end > 1; end -= step) {
    const start = Math.max(0, end - window)
    list.splice(start, end - start, ...(await order(list.slice(start, end))))
    if (start === 0) break
  }
  return list
}

/** Thinking before an answer, and thinking that never came to one. */
const thoughts =
  /^[\s\S]*<\/(?:think|thinking|thought|reasoning)>|<(?:think|thinking|thought|reasoning)>[\s\S]*$/gi
/** Marks of Markdown around an answer. */
const decoration = /```json|[*`_#]/g
/** Numbers and what may stand between them. */
const numbersAlone = /^[\d\s[\]【】［］>,;.]+$/
/** `[2] > [1]` or `2 > 1` on a line of its own, or behind the colon of a title. */
const chain = /^(?:[^:[\]>]{0,80}:)?([\d\s[\]【】［］>]+)\.?$/
const bracketed = /[[【［]\s{0,3}(\d{1,4})\s{0,3}[\]】］]/g

/**
 * The permutation in a model's answer, in the form that was asked for: `[2] > [1] > [3]`, on one line or in numbers alone, or JSON. What is
 * said in words is none: a refusal may name cards too. Numbers that were not asked for and repetitions fall away, what is left out follows
 * in the order in which it stood.
 *
 * @param count - numbers 1 to this were asked for
 * @returns places from 0; null when the answer names fewer than two
 */
export function permutationIn(answer: string, count: number): readonly number[] | null {
  const spoken = answer.replace(thoughts, '').replace(decoration, '').trim()
  const said = ordersInJson(spoken) ?? [
    ...(numbersAlone.test(spoken) ? [numbersIn(spoken)] : []),
    ...spoken
      .split('\n')
      .flatMap((line) => (line.includes('>') ? chain.exec(line.trim()) : null)?.slice(1) ?? [])
      .map(numbersIn),
  ]
  const named = said
    .map((numbers) => new Set(numbers.filter((one) => one >= 1 && one <= count).map((one) => one - 1)))
    .reduce((best, one) => (one.size >= best.size ? one : best), new Set())
  return named.size < 2 ? null : [...new Set([...named, ...Array(count).keys()])]
}

/** Those in brackets; without any bracket all. */
function numbersIn(text: string): readonly number[] {
  const found = [...text.matchAll(bracketed)].map(([, number]) => Number(number))
  return found.length > 0 || /[[【［]/.test(text) ? found : (text.match(/\d{1,4}/g) ?? []).map(Number)
}

/** A list of numbers, or those in an object that are called an order; undefined where the text is no JSON. */
function ordersInJson(text: string): readonly (readonly number[])[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value !== 'object') return undefined
    const lists = Array.isArray(value)
      ? [value]
      : Object.entries(value).flatMap(([name, list]) =>
          /order|rank|permutation/i.test(name) && Array.isArray(list) ? [list] : [],
        )
    return lists.map((list) => list.map((each) => Number(/^\s*\[?(\d{1,4})\]?\s*$/.exec(String(each))?.[1])))
  } catch {
    return undefined
  }
}

/** Of a reason, in characters. */
const mostReason = 200

/** What an answer says of single cards, `[2]: why`, by their places from 0. */
export const reasonsIn = (answer: string): ReadonlyMap<number, string> =>
  new Map(
    [...answer.replace(thoughts, '').matchAll(/^\s{0,8}\[(\d{1,4})\]:? {0,4}([^\s>[:][^\n]{0,2000})$/gm)].map(
      ([, number, reason]) => [Number(number) - 1, reason!.trim().slice(0, mostReason)],
    ),
  )
