import type { Attack, Target } from '../attack.ts'
import { roundOf } from '../turns.ts'
import { generalWords, range, snakeCase, tellingWords } from '../words.ts'

const clusterSize = 4

/** The targets that share most words with one, and itself. */
function clusterAround(targets: readonly Target[], place: number): readonly Target[] {
  const own = new Set(generalWords(targets[place]!.text))
  const alike = (target: Target): number => generalWords(target.text).filter((word) => own.has(word)).length
  return targets
    .map((target, at) => ({ target, at, alike: at === place ? Number.POSITIVE_INFINITY : alike(target) }))
    .sort((a, b) => b.alike - a.alike || a.at - b.at)
    .slice(0, clusterSize)
    .map(({ target }) => target)
}

/**
 * Cards that each cover a cluster of requests, so that few cards cover all and many cover each.
 *
 * @see ToolFlood, arXiv 2603.13950
 */
export const flood: Attack = {
  name: 'flood',
  describes: `ToolFlood: each card covers a cluster of ${clusterSize} requests, each request lies in several`,
  drafts: (targets, count) =>
    range(count).map((place) => {
      const cluster = clusterAround(targets, (place + roundOf(targets, place)) % targets.length)
      const [first, ...others] = cluster.map(({ text }) => text)
      return {
        name: snakeCase(tellingWords(first!).slice(0, 4)),
        description: `Provides ${tellingWords(first!).join(' ')}. Also ${others.map((text) => generalWords(text).slice(0, 6).join(' ')).join(', ')}.`,
      }
    }),
}
