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
/** An answer of numbers alone, without brackets, under a title or none. */
const numbersAlone = /^[\d\s[\],>"'.{}:]+$/
const title = /order|ranking/i

/**
 * The permutation in a model's answer, `[2] > [1] > [3]`: numbers that were not asked for and repetitions fall away, what is left out
 * follows in the order in which it stood.
 *
 * @param count - numbers 1 to this were asked for
 * @returns places from 0; null when the answer names none
 */
export function permutationIn(answer: string, count: number): readonly number[] | null {
  const spoken = answer.replace(thoughts, '')
  const found = [...spoken.matchAll(/[[【［]\s{0,3}(\d{1,4})\s{0,3}[\]】］]/g)].map(([, number]) =>
    Number(number),
  )
  const said =
    found.length > 0
      ? found
      : numbersAlone.test(spoken.replace(title, ''))
        ? [...spoken.matchAll(/\d{1,4}/g)].map(([number]) => Number(number))
        : []
  const named = new Set(said.filter((number) => number >= 1 && number <= count).map((number) => number - 1))
  if (named.size === 0) return null
  return [...new Set([...named, ...Array(count).keys()])]
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
