import type { Attack, Target } from '../attack.ts'
import { generalWords, range } from '../words.ts'
import { capitalised, pieces, wanted } from './phrasing.ts'
import { named } from '../turns.ts'

const operations = 5
/** Of one request: a longer list would be a text of its own. */
const mostWords = 30

/** `count` groups of requests: each pass over the targets parts all of them anew, those alike together. */
function groups(targets: readonly Target[], count: number): (readonly Target[])[] {
  const found: (readonly Target[])[] = []
  const words = new Map(targets.map((target) => [target, new Set(generalWords(wanted(target.text)))]))
  const shared = (one: Target, other: Target): number =>
    [...words.get(one)!].filter((word) => words.get(other)!.has(word)).length
  for (let pass = 0; found.length < count; pass++) {
    const left = targets.map((_, at) => targets[(at + pass * (operations + 2)) % targets.length]!)
    while (left.length > 0 && found.length < count) {
      const seed = left.shift()!
      const alike = left
        .map((target, at) => ({ target, at, shared: shared(seed, target) }))
        .sort((a, b) => b.shared - a.shared || a.at - b.at)
        .slice(0, operations - 1)
        .map(({ target }) => target)
      for (const target of alike) left.splice(left.indexOf(target), 1)
      found.push([seed, ...alike])
    }
  }
  return found
}

/**
 * Cards that each offer several operations, as servers with one tool for everything do; every request is in every pass.
 *
 * @see ToolFlood, arXiv 2603.13950
 */
export const suite: Attack = {
  name: 'suite',
  describes: `ToolFlood as lists of operations: each card offers ${operations} requests that are alike, as orders`,
  drafts: (targets, count) => {
    const perPass = Math.ceil(targets.length / operations)
    return groups(targets, count).map((group, place) => ({
      name: named(group.flatMap(({ text }) => generalWords(wanted(text)).slice(0, 1))),
      description: `Operations of this tool, set ${1 + Math.floor(place / perPass)}:\n${group
        .map(
          ({ text }, at) => `${at + 1}. ${capitalised(pieces(wanted(text)).slice(0, mostWords).join(' '))}`,
        )
        .join('\n')}`,
      parameters: [
        {
          name: 'operation',
          description: `One of ${range(group.length)
            .map((at) => at + 1)
            .join(', ')}`,
          type: 'string',
          required: true,
        },
      ],
    }))
  },
}
