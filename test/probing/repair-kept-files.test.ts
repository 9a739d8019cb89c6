import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  keptFileSteps,
  lookThroughKeptFiles,
  mendKeptFiles,
} from '../../src/probing/record/repair-kept-files.ts'
import { outcomeOf } from '../adapters/lancedb/some-outcomes.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const now = Date.now()
const places = (home: string) => ({
  transcripts: join(home, 'transcripts'),
  probes: join(home, 'probes.json'),
})

function write(file: string, text: string, ageMs = 3_600_000): string {
  writeFileSync(file, text)
  const time = new Date(now - ageMs)
  utimesSync(file, time, time)
  return file
}

test('transcripts give their outcomes, what cannot be read is moved, and drafts of dead processes go', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'transcripts'))
  const outcome = outcomeOf()
  const inTranscripts = (name: string) => join(home, 'transcripts', name)
  write(inTranscripts(`${outcome.id}.json`), JSON.stringify({ outcome, launch: 'node', answer: '' }))
  const torn = write(inTranscripts('torn.json'), '{"outcome":')
  const strange = write(inTranscripts('strange.json'), JSON.stringify({ outcome: { id: 'x' } }))
  const probes = write(join(home, 'probes.json'), '[{"goal":')
  const old = write(inTranscripts('one.json.0123abcd'), '{')
  const oldProbes = write(join(home, 'probes.json.0123abcd'), '[')
  const fromTheFuture = write(inTranscripts('two.json.0123abcd'), '{', -3_600_000)
  const underWay = write(inTranscripts('three.json.0123abcd'), '{', 0)
  const settings = write(join(home, 'probes.json.mine'), 'a copy')

  const kept = await lookThroughKeptFiles(places(home), now)
  expect(kept.outcomes).toEqual([outcome])
  expect(new Set(kept.damaged)).toEqual(new Set([torn, strange, probes]))
  expect(new Set(kept.drafts)).toEqual(new Set([old, oldProbes, fromTheFuture]))
  expect(keptFileSteps(kept).map(({ kind }) => kind)).toEqual(['lost', 'lost', 'lost', 'tidy'])

  await mendKeptFiles(kept, join(home, 'away'))
  expect(readFileSync(join(home, 'away', 'torn.json'), 'utf8')).toBe('{"outcome":')
  expect([torn, strange, probes, old, oldProbes, fromTheFuture].filter(existsSync)).toEqual([])
  expect([underWay, settings].every(existsSync)).toBe(true)
  expect(keptFileSteps(await lookThroughKeptFiles(places(home), now))).toEqual([])
})

test('a home without them has nothing to mend', async () => {
  const home = temporaryFolder()
  const kept = await lookThroughKeptFiles(places(home), now)
  expect(kept).toEqual({ outcomes: [], damaged: [], drafts: [] })
  await mendKeptFiles(kept, join(home, 'away'))
  expect(existsSync(join(home, 'away'))).toBe(false)
})
