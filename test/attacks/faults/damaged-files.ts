import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { withAudition } from './catalogs.ts'
import { type Fault, failed, seen, unclear } from './fault.ts'
import { call, homeIn, indexEdition, notEdition, notIndexable } from './stores.ts'

/** What is done to a file. */
const harms: { readonly [name: string]: (file: string) => void } = {
  'cut off': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'bytes flipped': (file) => {
    const bytes = readFileSync(file)
    // A byte or two of a small file may be one that nobody reads.
    const step = Math.min(509, Math.ceil(bytes.length / 16))
    for (let at = 16; at < bytes.length; at += step) bytes[at]! ^= 0x5a
    writeFileSync(file, bytes)
  },
  deleted: (file) => rmSync(file),
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : []

/** Outcomes with transcripts, as probes leave them, and kept probes. */
async function addRecord(home: string): Promise<readonly string[]> {
  const ids = Array.from({ length: 8 }, (_, at) => `00000000-0000-4000-8000-00000000000${at}`)
  const outcomes = ids.map((id, at) => ({
    id,
    card: `crew/clerk-${at % 5}`,
    cardHash: 'one',
    kind: 'agent' as const,
    task: `Question ${at}`,
    time: '2026-03-01T10:00:00.000Z',
    origin: 'probe' as const,
    executor: 'command',
    ending: 'answered' as const,
    verdict: null,
    seconds: 0.1,
    tokens: null,
    cost: null,
  }))
  await withAudition(home, async (audition) => (await audition.record()).add(outcomes))
  mkdirSync(join(home, 'transcripts'), { recursive: true })
  for (const outcome of outcomes) {
    const transcript = { outcome, launch: 'node', answer: '42', failure: null, events: [], leftOut: 0 }
    writeFileSync(join(home, 'transcripts', `${outcome.id}.json`), JSON.stringify(transcript))
  }
  writeFileSync(join(home, 'probes.json'), JSON.stringify([{ goal: 'contracts', tasks: ['Review this'] }]))
  return ids
}

const outcomesIn = (home: string): Promise<ReadonlySet<string>> =>
  withAudition(
    home,
    async (audition) => new Set((await (await audition.record()).list()).map(({ id }) => id)),
  )

const tables = ['tools', 'agents', 'tool_vectors', 'agent_vectors', 'images', 'meta', 'track_record']
const parts = ['data', '_versions']

/** A table of the store in each way: doctor says it, doctor --repair mends it, and all of the catalog and the record is there again. */
const tableFaults: readonly Fault[] = tables.flatMap((table, row) =>
  parts.flatMap((part, column) =>
    Object.entries(harms).map(
      ([harm, damage], at): Fault => ({
        group: 'corrupt table',
        name: `${table}, ${part} ${harm}`,
        // A diagonal of the table for tests: each table, each part and each harm once or more.
        slow: (row + column) % 2 !== 0 || at !== row % 3,
        async run(place) {
          await indexEdition(place, 1)
          const home = homeIn(place)
          const ids = await addRecord(home)
          for (const file of filesIn(join(home, `${table}.lance`, part))) damage(file)
          const doctor = await call(place, ['doctor'])
          const mended = await call(place, ['doctor', '--repair', '--yes'])
          const search = await call(place, ['search', 'send a parcel', '--json'])
          const kept = await outcomesIn(home)
          return seen(doctor, [
            ...unclear(doctor, {
              says: [/doctor --repair/, table === 'images' ? /search image/ : new RegExp(table)],
            }),
            // What no source can bring back is said to be lost, and then something remains.
            ...(table === 'meta' ? [] : failed('the repair', mended)),
            ...failed('a search afterwards', search),
            ...(await notEdition(home, 1)),
            ...ids.filter((id) => !kept.has(id)).map((id) => `outcome ${id} is gone`),
            ...(existsSync(home) && readdirSync(home).some((name) => name.startsWith('damaged-'))
              ? []
              : ['nothing was kept of what was damaged']),
            ...(await notIndexable(place, 2)),
          ])
        },
      }),
    ),
  ),
)

/** Files of probes: search does not need them, doctor names them, and what is damaged is moved away. */
const probeFiles: readonly Fault[] = [
  'transcripts/00000000-0000-4000-8000-000000000003.json',
  'probes.json',
].map(
  (file): Fault => ({
    group: 'corrupt table',
    name: `${file.replace(/00.*/, '<id>.json')} cut off`,
    async run(place) {
      await indexEdition(place, 1)
      const home = homeIn(place)
      const ids = await addRecord(home)
      harms['cut off']!(join(home, file))
      const torn = readFileSync(join(home, file), 'utf8')
      const doctor = await call(place, ['doctor'])
      const mended = await call(place, ['doctor', '--repair', '--yes'])
      const away = readdirSync(home).find((name) => name.startsWith('damaged-')) ?? 'nowhere'
      const kept = join(home, away, file.split('/').at(-1)!)
      return seen(doctor, [
        ...unclear(doctor, { says: [/cannot be read/] }),
        ...failed('the repair', mended),
        ...(existsSync(kept) && readFileSync(kept, 'utf8') === torn ? [] : ['what was damaged is gone']),
        ...((await outcomesIn(home)).size === ids.length ? [] : ['outcomes are gone']),
        ...(await notEdition(home, 1)),
      ])
    },
  }),
)

const modelFiles = ['model.json', 'weights.bin', 'interaction.bin', 'ranker.bin', 'answers.bin']

/** Each file of the model in each way: it is named, nothing is searched or indexed with it, and all is well when it is put back. */
const modelFaults = (embeddings: (program: string) => string): readonly Fault[] =>
  modelFiles.flatMap((file, row) =>
    Object.entries(harms).map(
      ([harm, damage], at): Fault => ({
        group: 'corrupt model file',
        name: `${file} ${harm}`,
        slow: at !== row % 3,
        async run(place) {
          const model = join(place.folder, 'model')
          cpSync(embeddings(place.program), model, { recursive: true })
          const environment = { AUDITION_MODEL: `static:${model}` }
          await indexEdition(place, 1)
          damage(join(model, file))
          const search = await call(place, ['search', 'send a parcel'], { environment })
          const index = await call(place, ['index', join(place.folder, 'source', 'crew')], { environment })
          const says = {
            says: [new RegExp(file.replace('.', '\\.')), /Install Audition again|audition train/],
          }
          cpSync(embeddings(place.program), model, { recursive: true })
          const again = await call(place, ['search', 'send a parcel', '--json'], { environment })
          return seen(search, [
            ...unclear(search, says),
            ...unclear(index, says),
            ...failed('a search with the model put back', again),
            ...(await notEdition(homeIn(place), 1)),
            ...(await notIndexable(place, 2)),
          ])
        },
      }),
    ),
  )

export const damagedFiles = (embeddings: (program: string) => string): readonly Fault[] => [
  ...tableFaults,
  ...probeFiles,
  ...modelFaults(embeddings),
]
