import type { Table } from '../../../bench/bench.ts'
import { spread, type Workplace } from '../../../bench/workplace.ts'
import type { Standing } from '../../../src/store/source-state.ts'
import { allDefences, type DefenceSettings } from '../../../src/retrieval/defences/defence-settings.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { ndcgOf } from './measure.ts'
import type { Battlefield } from './targets.ts'

/** Requests of each set. */
const asked = 40

const worlds: readonly { readonly title: string; readonly installed: number; readonly others: Standing }[] = [
  { title: 'half installed, strangers known for long', installed: 50, others: 'stranger' },
  { title: 'a tenth installed, strangers known for long', installed: 10, others: 'stranger' },
  { title: 'half installed, all strangers newcomers', installed: 50, others: 'newcomer' },
  { title: 'a tenth installed, all strangers newcomers', installed: 10, others: 'newcomer' },
]

/** What it costs honest requests that provenance counts, all sets joined: servers are installed by chance. */
export async function honestLosses(
  workplace: Workplace,
  { parts }: Battlefield,
  model: EmbeddingModel | null,
): Promise<{ readonly table: Table; readonly lost: number }> {
  const cards = parts.flatMap((part) => part.cards)
  const snapshot = await memorySnapshot(cards, model, { standingOf: () => 'stranger' })
  const settings = [{ ...allDefences, provenance: false }, allDefences].map(
    (defences: DefenceSettings) => ({ defences, pack: 'ranking' }) as const,
  )
  const rows: string[][] = []
  let lost = 0
  for (const { title, installed, others } of worlds) {
    const bySet: { readonly name: string; readonly lost: number }[] = []
    for (const { name, queries } of parts) {
      workplace.log(`first-places: ${title}, ${name}`)
      const half = (document: number): Standing =>
        chance(snapshot, document) < installed ? 'installed' : others
      const world = {
        ...snapshot,
        indexes: { ...snapshot.indexes, tool: { ...snapshot.indexes.tool, standing: half } },
      }
      const [off, on] = await ndcgOf(world, model, spread(queries, workplace.quick ? 10 : asked), settings)
      bySet.push({ name, lost: meanOf(off!) - meanOf(on!) })
    }
    const mean = meanOf(bySet.map((one) => one.lost))
    if (rows.length === 0) lost = mean
    const [worst] = bySet.toSorted((a, b) => b.lost - a.lost)
    rows.push([title, mean.toFixed(2), `${worst!.name} ${worst!.lost.toFixed(2)}`])
  }
  return {
    table: {
      title: 'nDCG@10 of honest requests lost by provenance, nobody attacking',
      head: ['', 'mean of sets', 'worst set'],
      rows,
    },
    lost,
  }
}

/** 0..99, the same for all tools of a server. */
function chance({ indexes: { tool } }: CatalogSnapshot, document: number): number {
  let value = 2166136261
  for (const letter of `${tool.source(document)} ${tool.family(document)}`)
    value = Math.imul(value ^ letter.charCodeAt(0), 16777619)
  value = Math.imul(value ^ (value >>> 15), 0x5bd1e995)
  return ((value ^ (value >>> 13)) >>> 0) % 100
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
