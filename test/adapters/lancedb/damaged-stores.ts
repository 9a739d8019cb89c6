import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { repairStore } from '../../../src/adapters/lancedb/repair/repair-store.ts'
import type { SourceState } from '../../../src/store/source-state.ts'
import type { RepairOptions, StoreRepair } from '../../../src/store/diagnosis.ts'
import type { Card } from '../../../src/domain/card.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { changeOf, idsOf } from '../../contracts/catalog.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'

/** Two sources of tools and one of agents: what every store of these tests holds. */
export const storedCards: readonly Card[] = [
  ...['mail', 'chat'].flatMap((source) =>
    Array.from({ length: 40 }, (_, at) =>
      toolCard(`${source}/tool-${at}`, { description: `Does what ${source} needs for the ${at}th time` }),
    ),
  ),
  ...Array.from({ length: 30 }, (_, at) =>
    agentCard(`crew/agent-${at}`, { description: `Knows all about matter ${at}` }),
  ),
]

export const storedStates: readonly SourceState[] = ['mail', 'chat', 'crew'].map((id) => ({
  id,
  location: `/sources/${id}`,
  reader: 'fake',
  fingerprint: `print of ${id}`,
  indexedAt: '2026-01-01T00:00:00.000Z',
  tools: id === 'crew' ? 0 : 40,
  agents: id === 'crew' ? 30 : 0,
  problems: [],
}))

/** Commits them, in two runs, so that versions have been pruned. */
export async function makeStore(home: string): Promise<void> {
  for (const put of [storedCards.slice(0, 50), storedCards.slice(50)]) {
    const writer = await lanceWriter(home, { model: scatteredModel() })
    await writer.commit(changeOf({ put, sources: storedStates }))
    await writer.close()
  }
}

export const tables = ['tools', 'agents', 'tool_vectors', 'agent_vectors', 'images', 'meta'] as const

/** Ways in which a table comes to harm; each returns false when there is nothing to do harm to. */
export const harms: { readonly [name: string]: (table: string) => boolean } = {
  'data files cut off': (table) => cutOff(join(table, 'data'), 0.5),
  'data files that lost their last bytes': (table) => cutOff(join(table, 'data'), 0.98),
  'empty data files': (table) => cutOff(join(table, 'data'), 0),
  'data files with bytes flipped': (table) => flipped(join(table, 'data')),
  'data files deleted': (table) => emptied(join(table, 'data')),
  'manifests cut off': (table) => cutOff(join(table, '_versions'), 0.5),
  'manifests deleted': (table) => emptied(join(table, '_versions')),
  'indices deleted': (table) => emptied(join(table, '_indices')),
  'all of it deleted': (table) => {
    rmSync(table, { recursive: true })
    return true
  },
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : []

function cutOff(folder: string, share: number): boolean {
  const files = filesIn(folder)
  for (const file of files) truncateSync(file, Math.floor(statSync(file).size * share))
  return files.length > 0
}

function flipped(folder: string): boolean {
  const files = filesIn(folder)
  for (const file of files) {
    const bytes = readFileSync(file)
    for (let at = 64; at < bytes.length; at += 997) bytes[at]! ^= 0xff
    writeFileSync(file, bytes)
  }
  return files.length > 0
}

function emptied(folder: string): boolean {
  const files = filesIn(folder)
  for (const file of files) rmSync(file)
  return files.length > 0
}

/** Every file of a store's tables with its bytes: equal lists mean that nothing was changed. */
export const bytesOf = (home: string): readonly string[] =>
  filesIn(home)
    .filter((file) => file.includes('.lance/'))
    .map((file) => `${file.slice(home.length)} ${readFileSync(file).toString('base64')}`)
    .sort()

export const copyOf = (home: string, to: string): string => {
  cpSync(home, to, { recursive: true })
  return to
}

/** Repairs with the model of the store. */
export const repaired = (
  home: string,
  options: Partial<RepairOptions> = {},
  transcripts: readonly Outcome[] = [],
  givenUp: { readonly [table: string]: string } = {},
): Promise<StoreRepair> =>
  repairStore(
    home,
    { intent: 'mend', ...options },
    {
      openModel: async () => scatteredModel(),
      outcomesElsewhere: async () => transcripts,
      now: new Date('2026-05-06T07:08:09Z'),
      givenUp,
      onTable: () => undefined,
    },
  )

/** All cards of a store as a search reads them, and all that search needs besides. */
export async function searchedCards(home: string): Promise<readonly Card[]> {
  const reader = lanceReader(home)
  try {
    const snapshot = await reader.snapshot()
    const found: Card[] = []
    for (const kind of ['tool', 'agent'] as const) {
      found.push(...(await snapshot.cards(idsOf(snapshot, kind))))
    }
    return found
  } finally {
    await reader.close()
  }
}
