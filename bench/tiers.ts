import { staticModel } from '../src/adapters/static-model/static-model.ts'
import type { Standing } from '../src/store/source-state.ts'
import { devSets } from '../evals/benchmarks/src/toolret/dev-sets.ts'
import { readToolretSet } from '../evals/benchmarks/src/toolret/toolret-folders.ts'
import { allDefences } from '../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../src/retrieval/ports.ts'
import { type RetrievalSettings, retrievalDefaults } from '../src/retrieval/search/retrieve.ts'
import { search } from '../src/retrieval/search/search.ts'
import { atMost, type Bench, fixed } from './bench.ts'
import { median } from './statistics.ts'
import { hasModel, modelFolder, noModel } from './static-model-folder.ts'

/** Whose the cards are, server by server in turn. */
const worlds: readonly { readonly title: string; readonly standings: readonly Standing[] }[] = [
  { title: 'all installed', standings: ['installed'] },
  { title: 'half installed, half strangers', standings: ['installed', 'stranger'] },
  { title: 'half installed, half newcomers', standings: ['installed', 'newcomer'] },
  { title: 'installed, strangers, newcomers', standings: ['installed', 'stranger', 'newcomer'] },
]
const on = retrievalDefaults
const off: RetrievalSettings = { ...retrievalDefaults, defences: { ...allDefences, provenance: false } }

/** The same searches with provenance and without, by turns in one process. */
export const tiers: Bench = {
  name: 'tiers',
  question: 'What does it cost a search that it asks whose the cards are?',
  async run({ data, quick, queries, log }) {
    if (data === null) return { tables: [], notes: ['skipped: data not present'], floors: [] }
    if (!hasModel) return { tables: [], notes: [noModel], floors: [] }
    const model = await staticModel(modelFolder)
    const snapshot = await memorySnapshot(
      devSets.flatMap((set) => readToolretSet(data, set).part.cards),
      model,
    )
    const measured = []
    for (const { title, standings } of worlds) {
      log(`tiers: ${title}`)
      const { tool } = snapshot.indexes
      const standing = (document: number): Standing => standings[tool.family(document) % standings.length]!
      const world = { ...snapshot, indexes: { ...snapshot.indexes, tool: { ...tool, standing } } }
      measured.push({ title, ...(await timed(world, model, queries(quick ? 4 : 8), quick ? 5 : 15)) })
    }
    await model.close()
    return {
      tables: [
        {
          title: `${snapshot.indexes.tool.size.toLocaleString('en')} tools`,
          head: ['', 'without, ms', 'with, ms', 'ratio'],
          rows: measured.map(({ title, without, with: own, ratio }) => [
            title,
            fixed(without),
            fixed(own),
            `${ratio.toFixed(2)} x`,
          ]),
        },
      ],
      notes: [
        'Five candidates by the learned ranker. Processor time for a search, median of the passes, which go by turns.',
      ],
      floors: measured.map(({ title, ratio }) =>
        atMost(`a search with provenance against one without, ${title}`, 1.1, ratio, ' x'),
      ),
    }
  },
}

async function timed(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel,
  texts: readonly string[],
  passes: number,
) {
  const found = { without: [] as number[], with: [] as number[], ratio: [] as number[] }
  const perSearch = async (settings: RetrievalSettings): Promise<number> => {
    const before = process.cpuUsage()
    for (const query of texts) await search({ snapshot, model, settings }, { kind: 'tool', query })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / texts.length
  }
  for (let pass = 0; pass <= passes; pass += 1) {
    const first = await perSearch(pass % 2 === 0 ? off : on)
    const second = await perSearch(pass % 2 === 0 ? on : off)
    if (pass === 0) continue // it warms up
    const [without, own] = pass % 2 === 0 ? [first, second] : [second, first]
    found.without.push(without)
    found.with.push(own)
    found.ratio.push(own / without)
  }
  return { without: median(found.without), with: median(found.with), ratio: median(found.ratio) }
}
