import { grouped } from '../domain/grouped.ts'
import { randomOf } from '../probing/writing/schema-arguments.ts'
import type { GeneratedTask } from './generated-task.ts'
import type { TextFault } from './faults.ts'
import type { JudgedPart, Shop, Single } from './shop.ts'
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

/**
 * How near the reader must see a piece of the whole to a part, -1..1. Of 12 requests merged by hand from the bundled catalog's tasks it lets
 * 26 of 27 parts pass, and 0.3% of the tasks that are no part.
 */
export const leastNear = 0.65

/** Shorter clauses ask for nothing by themselves. */
const leastWords = 4

/** How the reader and the language model judged parts. */
export type EntailmentReport = {
  /** Who decided: the language model where there is one, else the reader. */
  readonly by: string
  readonly reader: string
  readonly threshold: number
  /** Parts that were judged, those that the reader and those that the model found entailed. */
  readonly pairs: number
  readonly byReader: number
  readonly byModel: number | null
  /** Share of parts on which both say the same, and Cohen's kappa of them; null where the reader judged alone. */
  readonly agreement: number | null
  readonly kappa: number | null
}

/** @returns null when the whole entails each part, else what is missing */
async function entailment(whole: string, parts: readonly string[], shop: Shop): Promise<TextFault | null> {
  const { readings } = shop.ground
  const pieces = piecesOf(whole)
  const vectors = await readings.of([...parts, ...pieces])
  const read = vectors.slice(parts.length)
  let missing: TextFault | null = null
  for (const [place, part] of parts.entries()) {
    const near = Math.max(...read.map((vector) => dot(vectors[place]!, vector)))
    const reader = near >= leastNear
    const verdict = shop.isByRule ? null : await shop.ask('entails', { task: whole, part })
    const model = verdict?.isEntailed ?? null
    shop.judged.push({ reader, model })
    if (shop.isByRule ? reader : model === true) continue
    const reason = shop.isByRule || model !== null ? 'not-entailed' : 'no-verdict'
    missing ??= { reason, why: reason === 'no-verdict' ? part : `it does not ask for: ${part}` }
  }
  return missing
}

/** The whole, its sentences, two of them in a row, and clauses: any of these may be what a part became. */
function piecesOf(whole: string): readonly string[] {
  const sentences = whole.split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence.trim() !== '')
  const pairs = sentences.slice(1).map((sentence, at) => `${sentences[at]} ${sentence}`)
  const clauses = sentences
    .flatMap((sentence) => sentence.split(/[,;:]\s+|\s(?:and|while)\s/u))
    .filter((clause) => clause.split(' ').length >= leastWords)
  return [...new Set([whole, ...sentences, ...pairs, ...clauses])]
}

/** Sums up what was judged; undefined when nothing was. */
export function entailmentReport(
  judged: readonly JudgedPart[],
  by: { readonly writer: string; readonly reader: string; readonly isByRule: boolean },
): EntailmentReport | undefined {
  if (judged.length === 0) return undefined
  const both = judged.filter(({ model }) => model !== null)
  const same = both.filter(({ reader, model }) => reader === model).length
  const share = (of: (one: JudgedPart) => boolean | null) =>
    both.filter((one) => of(one) === true).length / Math.max(1, both.length)
  const [ofReader, ofModel] = [share(({ reader }) => reader), share(({ model }) => model)]
  const chance = ofReader * ofModel + (1 - ofReader) * (1 - ofModel)
  const agreement = both.length === 0 ? null : same / both.length
  return {
    by: by.isByRule ? by.reader : by.writer,
    reader: by.reader,
    threshold: leastNear,
    pairs: judged.length,
    byReader: judged.filter(({ reader }) => reader).length,
    byModel: by.isByRule ? null : judged.filter(({ model }) => model === true).length,
    agreement,
    kappa: agreement === null || chance === 1 ? null : (agreement - chance) / (1 - chance),
  }
}
