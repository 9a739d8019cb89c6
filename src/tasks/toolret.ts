import { randomOf } from '../probing/writing/schema-arguments.ts'
import type { Shop, Single } from './shop.ts'
import { makeSingles, singleTask } from './singles.ts'
import { kMeans } from './k-means.ts'

/** Queries that are written for each tool, of which the clustering leaves about one. */
const perTool = 2

/** The pattern of ToolRet's instructions. */
const pattern = /^Given an? .+ task, retrieve \w+ that /

/**
 * Makes queries with instructions: queries are clustered, as many clusters as there are tools or queries, and the one nearest each centre
 * stays. Its instruction is written with the expected cards in view, as ToolRet's were, and is marked so.
 *
 * @see Shi et al., ToolRet, ACL 2025, section 3
 */
export async function makeToolRet(shop: Shop): Promise<void> {
  const { count, seed } = shop.order
  const tools = randomOf(`${seed} tools`).shuffled(shop.order.targets).slice(0, count)
  const singles = await makeSingles({ count: tools.length * perTool, targets: tools }, shop)
  const vectors = await shop.ground.vectors.of(singles.map(({ task }) => task))
  const kept = new Set(kMeans(vectors, Math.min(singles.length, tools.length), seed))
  for (const [place, { target, task: text }] of singles.entries())
    if (!kept.has(place)) shop.drop('not-nearest', target.id, { text })
  const left = singles.filter((_, place) => kept.has(place))
  const instructed = await shop.all(left, (single) => instructionFor(single, shop))
  for (const [place, instruction] of instructed.entries())
    if (instruction !== null) shop.add({ ...singleTask(left[place]!, shop), instruction, targetInView: true })
  shop.order.onProgress({ done: shop.made.length, total: count, what: 'writing instructions' })
}

/** Written once more where it names a card. */
async function instructionFor(single: Single, shop: Shop): Promise<string | null> {
  const { target, task } = single
  const targets = [target, ...shop.cardsOf([single]).filter(({ id }) => id !== target.id)]
  let named: string | undefined
  for (;;) {
    const asked = { task, targets, ...(named === undefined ? {} : { fault: named }) }
    const text = (await shop.ask('instruction', asked))?.instruction
    if (text === undefined || !pattern.test(text))
      return shop.drop('no-answer', target.id, {
        text: task,
        why: 'its instruction is not of the form "Given a ... task, retrieve tools that ..."',
      })
    const fault = shop.faultOf(text, targets)
    // An instruction is written in view of the card, and may share its words.
    if (fault === null || fault.reason === 'copies-the-card') return text
    if (fault.reason !== 'names-a-card' || named !== undefined)
      return shop.drop(fault.reason, target.id, { text, why: fault.why })
    named = fault.why
  }
}
