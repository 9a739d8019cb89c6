import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { modelOf } from '../../../src/compose/open-models.ts'
import { configFrom } from '../../../src/config.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { sealed } from '../../../src/domain/text/sealed-json.ts'
import type { CatalogChange } from '../../../src/store/catalog-writer.ts'
import { withAudition, writeEdition } from '../faults/catalogs.ts'
import { filesIn } from './harms.ts'

/** A store with all that a store can have, and the folder that its cards are read from. */
export type SoundStore = {
  readonly home: string
  readonly source: string
  /** Makes a copy of it in a folder that is not there yet. */
  readonly copyTo: (folder: string) => void
}

const outcomes: readonly Outcome[] = Array.from({ length: 14 }, (_, at) => ({
  id: `00000000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`,
  card: `source/clerk-${at % 5}`,
  cardHash: 'one',
  kind: 'agent' as const,
  task: `Review contract number ${at % 6}`,
  time: `2026-03-${10 + at}T10:00:00.000Z`,
  origin: 'probe' as const,
  executor: 'command',
  ending: 'answered' as const,
  seconds: 0.1,
  tokens: null,
  cost: null,
  verdict: { grade: ((at % 5) + 1) as 1 | 2 | 3 | 4 | 5, reason: 'as it should be', judge: 'reference' },
}))

const simulated = outcomes.slice(0, 3).map((outcome) => ({ ...outcome, id: outcome.id.replace(/^0/, '1') }))

/** Outcomes of which there are transcripts: what happened in the others is nowhere else. */
const withTranscript = 3

const models = ['small', 'large'].map((name, at) => ({
  id: `acme/${name}`,
  description: `A ${name} model`,
  price_in_per_m: at + 1,
  price_out_per_m: at + 2,
}))

/** Makes the store by the sources of the program, so that it is the same whoever runs it; one that is there already is taken. */
export async function soundStore(folder: string): Promise<SoundStore> {
  const [home, source] = [join(folder, 'home'), join(folder, 'source')]
  const madeLast = join(home, 'probes.json')
  if (existsSync(madeLast)) return { home, source, copyTo: copiesOf(home) }
  writeEdition(source, 2)
  writeFileSync(join(source, 'models.jsonl'), models.map((model) => `${JSON.stringify(model)}\n`).join(''))
  await withAudition(home, (audition) => audition.index({ locations: [source] }))
  await keepInSegments(home)
  await withAudition(home, async (audition) => {
    const record = await audition.record()
    for (const some of [outcomes.slice(0, 6), outcomes.slice(6)]) await record.add(some)
    await (await audition.simulatedRecord()).add(simulated)
  })
  writeTranscripts(join(home, 'transcripts'), outcomes.slice(0, withTranscript))
  writeTranscripts(join(home, 'simulated', 'transcripts'), simulated.slice(0, 1))
  const kept = [{ goal: 'contracts', tasks: ['Review this contract'] }]
  writeFileSync(madeLast, sealed(JSON.stringify({ kept })))
  return { home, source, copyTo: copiesOf(home) }
}

/** Reads a folder once, since it is copied often. */
function copiesOf(home: string): SoundStore['copyTo'] {
  const files = filesIn(home).map((name) => [name, readFileSync(join(home, name))] as const)
  const folders = new Set(files.map(([name]) => dirname(name)))
  return (folder) => {
    for (const part of folders) mkdirSync(join(folder, part), { recursive: true })
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  }
}

/** Tools are more, agents fewer: so the store has an image in segments and one that is not. */
const segmentsFrom = 30

/** As a store of thousands of tools: some cards go and come back, which leaves segments, marks of deleted rows and several data files. */
async function keepInSegments(home: string): Promise<void> {
  const cards = await withAudition(home, async (audition) => {
    const ids = [
      ...(await audition.completeIds('', 1000, 'tool')),
      ...(await audition.completeIds('', 1000, 'agent')),
    ]
    return audition.cards(ids)
  })
  const passing = cards.filter((_, at) => at % 9 === 0)
  const model = await modelOf(configFrom({ AUDITION_READER: 'none' }), fetch)
  const nothing = { put: [], remove: [], sources: [], removeSources: [], reviews: [] }
  const changes: readonly Partial<CatalogChange>[] = [
    { remove: passing.map(({ id }) => id) },
    { put: passing },
  ]
  for (const change of changes) {
    const writer = await lanceWriter(home, { model, segmentsFrom })
    await writer.commit({ ...nothing, ...change })
    await writer.close()
  }
}

function writeTranscripts(folder: string, of: readonly Outcome[]): void {
  mkdirSync(folder, { recursive: true })
  for (const outcome of of) {
    const transcript = { outcome, launch: 'node', answer: '42', failure: null, events: [], leftOut: 0 }
    writeFileSync(join(folder, `${outcome.id}.json`), sealed(JSON.stringify(transcript)))
  }
}
