import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readToolLines, type ToolLine, writeCorpus } from './corpus.ts'
import { devSets, readSet } from './dev-sets.ts'
import { indexInProcess } from './processes.ts'
import { syntheticQueries, syntheticTools } from './synthetic.ts'
import { ownerOf } from './systems.ts'

/** Where benches find their corpora, queries and stores. All of it lies in one temporary folder. */
export type Workplace = {
  /** Folder of the tool sets, or null: then corpora are synthetic, and quality cannot be measured. */
  readonly data: string | null
  /** Fewer sizes, repeats and queries. */
  readonly quick: boolean
  /** Cards of the largest catalog that is made of real tools; null: a million. */
  readonly cards: number | null
  /** A folder that stays, for what a run that is cut off goes on from; null: none was named. */
  readonly state: string | null
  /** Corpus sizes, ascending. */
  readonly sizes: readonly number[]
  /** Tells on stderr what happens. */
  log(message: string): void
  /** All tools there are, in an order that mixes the sets. */
  tools(): readonly ToolLine[]
  /** A corpus of so many tools; smaller ones are part of larger ones. */
  corpus(size: number): string
  /** A corpus of one set, of all, or of the development sets. */
  corpusOf(set: string | 'all' | 'development'): string
  /** Real queries, so many of each development set, set by set in turn. */
  queries(perSet: number): readonly string[]
  /** A store with this corpus in it, made on first use. */
  store(system: string, corpus: string): Promise<string>
  /** Gives {@link store} one that was just made. */
  keep(system: string, corpus: string, store: string): void
  /** A new empty folder. */
  scratch(): string
  remove(): void
}

type WorkplaceOptions = Pick<Workplace, 'data' | 'quick' | 'cards' | 'state' | 'log'>

export function openWorkplace({ data, quick, cards, state, log }: WorkplaceOptions): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'audition-bench-'))
  const sizes = quick ? [1000, 10_000] : [1000, 10_000, 50_000]
  const corpora = new Map<string, string>()
  const stores = new Map<string, string>()
  let lines: readonly ToolLine[] | null = null
  let texts: readonly (readonly string[])[] | null = null
  let scratches = 0

  const tools = (): readonly ToolLine[] => {
    lines ??= data === null ? syntheticTools(sizes.at(-1)!) : readToolLines(data)
    return lines
  }
  const written = (name: string, chosen: () => readonly ToolLine[]): string => {
    const known = corpora.get(name)
    if (known !== undefined) return known
    const path = join(folder, 'corpora', name)
    writeCorpus(path, chosen())
    corpora.set(name, path)
    return path
  }
  const scratch = (): string => {
    scratches += 1
    const path = join(folder, 'stores', String(scratches))
    mkdirSync(path, { recursive: true })
    return path
  }

  return {
    data,
    quick,
    cards,
    state,
    sizes,
    log,
    scratch,
    tools,
    corpus: (size) => written(`${size}`, () => tools().slice(0, size)),
    corpusOf(set) {
      const isMember = (tool: ToolLine): boolean =>
        set === 'all' || (set === 'development' ? devSets.includes(tool.set) : tool.set === set)
      return written(set, () => tools().filter(isMember))
    },
    queries(perSet) {
      if (data === null) return syntheticQueries(perSet * devSets.length)
      texts ??= devSets.map((set) => readSet(data, set).queries.map(({ text }) => text))
      const sampled = texts.map((ofSet) => spread(ofSet, perSet))
      return Array.from({ length: perSet }, (_, turn) => sampled.flatMap((ofSet) => ofSet[turn] ?? [])).flat()
    },
    async store(system, corpus) {
      const key = `${ownerOf(system)} ${corpus}`
      const known = stores.get(key)
      if (known !== undefined) return known
      const path = scratch()
      await indexInProcess({ system, corpus, store: path })
      stores.set(key, path)
      return path
    },
    keep: (system, corpus, store) => void stores.set(`${ownerOf(system)} ${corpus}`, store),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** So many items, evenly spread over all; all of them when there are fewer. */
export const spread = <T>(items: readonly T[], count: number): readonly T[] =>
  items.length <= count
    ? items
    : Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!)

/** Bytes of all files in a folder. */
export const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
