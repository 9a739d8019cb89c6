import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mulberry32 } from '../../../src/domain/random.ts'

/** Sources that are written anew in each commit; every one of their cards says of which edition it is. */
export const sources = ['post', 'bank'] as const
export type Source = (typeof sources)[number]

const subjects =
  'letter parcel receipt invoice address stamp account ledger refund courier contract customs'.split(' ')
const deeds = 'weigh trace archive translate verify print close audit issue book sign declare'.split(' ')
/** Names wander from card to card with each edition, so that a card under an id of another edition shows. */
const names = subjects.length + 2

export const fileOf = (folder: string, source: Source | 'shelf'): string => join(folder, `${source}.json`)

const tool = (name: string, description: string, comment?: string) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties: { note: { type: 'string' } }, $comment: comment },
  },
})

export function writeEdition(folder: string, source: Source, edition: number): void {
  const tools = subjects.map((subject, at) =>
    tool(
      `${source}_${(at + edition) % names}`,
      `Edition ${edition} place ${at}: ${deeds[at]} a ${subject} of the ${source} for whoever asks.`,
    ),
  )
  writeFileSync(fileOf(folder, source), JSON.stringify(tools))
}

/**
 * Cards that nobody changes, with schemas that no compression makes short: their table is as large as that of a company, and is stored in
 * parts.
 */
export function writeShelf(folder: string, cards: number): void {
  const random = mulberry32(7)
  const word = (): string =>
    Array.from({ length: 40 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
  const filler = (): string => Array.from({ length: 150 }, word).join(' ')
  const tools = Array.from({ length: cards }, (_, at) =>
    tool(`shelf_${at}`, `Keeps what stands on shelf ${at} of the archive.`, filler()),
  )
  writeFileSync(fileOf(folder, 'shelf'), JSON.stringify(tools))
}

export type Found = { readonly id: string; readonly description: string }

/** The edition of each source that an answer holds. */
export type Editions = { readonly [source in Source]?: number }

/** @returns the editions of what was found, or why no commit ever was like that */
export function editionsOf(candidates: readonly Found[]): Editions | string {
  const found = new Map<Source, number>()
  for (const { id, description } of candidates) {
    const source = sources.find((one) => id.startsWith(`${one}/`))
    if (source === undefined) continue
    const [, edition, place] = (/^Edition (\d+) place (\d+):/.exec(description) ?? []).map(Number)
    if (edition === undefined || place === undefined) return `"${id}" says "${description}"`
    if (id !== `${source}/${source}_${(place + edition) % names}`)
      return `"${id}" is no card of edition ${edition}, place ${place}`
    const known = found.get(source)
    if (known !== undefined && known !== edition) return `"${source}" is of editions ${known} and ${edition}`
    found.set(source, edition)
  }
  return Object.fromEntries(found)
}

/**
 * Commits come one after another, so that of any two states of both sources one came first. Tells states that cannot both have
 * been committed.
 */
export function oneAfterAnother(seen: readonly Editions[]): readonly string[] {
  const pairs = new Map<string, readonly [number, number]>()
  for (const { post, bank } of seen)
    if (post !== undefined && bank !== undefined) pairs.set(`${post}/${bank}`, [post, bank])
  const ordered = [...pairs.values()].sort(([a, b], [c, d]) => a - c || b - d)
  return ordered.flatMap(([post, bank], at) => {
    const before = ordered[at - 1]
    return before !== undefined && before[1] > bank
      ? [`post ${before[0]} was seen with bank ${before[1]}, and post ${post} with bank ${bank}`]
      : []
  })
}
