import { grouped } from '../domain/grouped.ts'
import { randomOf } from '../probing/writing/schema-arguments.ts'
import { entailment } from './entailment.ts'
import type { GeneratedTask } from './generated-task.ts'
import type { Shop, Single } from './shop.ts'
import { makeSingles } from './singles.ts'
import { dot, isAmong } from './texts.ts'

/** Nearest queries that are passed over: they would repeat the anchor. */
const skipped = 20
/** Queries to choose parts from, at the least. */
export const leastSingles = 30

/**
 * Merges single tasks into requests of several parts: an anchor, and those of its neighbours that come after the 20 nearest. Kept only
 * where each part is entailed by the whole.
 *
 * @see AgentSearchBench, 2026, section 3: multi-agent queries
 */
export async function makeMulti(shop: Shop): Promise<void> {
  const { count, targets, seed } = shop.order
  const singles = await makeSingles({ count: Math.max(count, leastSingles), targets }, shop)
  const random = randomOf(`${seed} multi`)
  const groups = [...grouped(singles, ({ target }) => target.kind).values()]
  const chosen = await Promise.all(groups.map((group) => mergings(group, () => random.whole(2, 4), shop)))
  const merged = random.shuffled(chosen.flat())
  for (let at = 0; at < merged.length && shop.made.length < count; at += 8) {
    const wanted = merged.slice(at, at + Math.min(8, count - shop.made.length))
    for (const task of await shop.all(wanted, (parts) => mergedTask(parts, shop))) {
      if (task === null) continue
      const earlier = shop.made.map(({ query }) => query)
      if (isAmong(task.query, earlier)) shop.drop('duplicate', ofParts(task), { text: task.query })
      else shop.add(task)
    }
    shop.order.onProgress({ done: shop.made.length, total: count, what: 'merging tasks' })
  }
}

const ofParts = ({ expected }: Pick<GeneratedTask, 'expected'>): string => Object.keys(expected).join(' + ')

/** For each anchor its parts, itself first. */
async function mergings(
  singles: readonly Single[],
  partCount: () => number,
  { ground }: Shop,
): Promise<readonly (readonly Single[])[]> {
  const vectors = await ground.vectors.of(singles.map(({ task }) => task))
  // Of a small set as much is skipped as leaves three to take.
  const skip = Math.max(0, Math.min(skipped, singles.length - 4))
  return singles.flatMap((anchor, place) => {
    const near = singles
      .map((single, at) => ({ single, near: at === place ? 2 : dot(vectors[place]!, vectors[at]!) }))
      .sort((a, b) => b.near - a.near)
      .slice(1 + skip)
      .map(({ single }) => single)
    const others = near.filter(({ target }) => target.id !== anchor.target.id).slice(0, partCount() - 1)
    return others.length === 0 ? [] : [[anchor, ...others]]
  })
}

async function mergedTask(parts: readonly Single[], shop: Shop): Promise<Omit<GeneratedTask, 'id'> | null> {
  const of = parts.map(({ target }) => target.id).join(' + ')
  const texts = parts.map(({ task }) => task)
  const text = (await shop.ask('merge', { parts: texts }))?.task
  if (text === undefined) return shop.drop('no-answer', of)
  const fault = shop.faultOf(text, shop.cardsOf(parts))
  if (fault !== null) return shop.drop(fault.reason, of, { text, why: fault.why })
  const missing = await entailment(text, texts, shop)
  if (missing !== null) return shop.drop(missing.reason, of, { text, why: missing.why })
  return {
    query: text,
    expected: Object.fromEntries(parts.flatMap(({ expected }) => expected.map((id) => [id, 1]))),
    kind: parts[0]!.target.kind,
    group: 'multi',
    by: shop.ground.writer.name,
    needs: parts.map(({ expected }) => expected),
    parts: parts.map(({ task, expected }) => ({ query: task, expected })),
  }
}
