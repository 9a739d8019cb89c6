import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { Execution, TranscriptEvent } from '../../src/probing/ports.ts'
import { lookThroughKeptFiles } from '../../src/probing/record/repair-kept-files.ts'
import { transcriptBytes, transcriptsIn } from '../../src/probing/record/transcripts.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-transcripts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const outcomeWith = (id: string): Outcome => ({
  id,
  card: 'team/a',
  cardHash: 'abc',
  kind: 'agent',
  task: 'one',
  time: '2026-01-01T00:00:00.000Z',
  origin: 'probe',
  executor: 'command',
  ending: 'answered',
  verdict: null,
  seconds: 1,
  tokens: null,
  cost: null,
})

const executionWith = (fields: Partial<Execution>): Execution => ({
  ending: 'answered',
  answer: 'It is 5.',
  failure: null,
  transcript: [],
  seconds: 1,
  outputBytes: 8,
  tokens: null,
  cost: null,
  ...fields,
})

const message = (at: number, text: string): TranscriptEvent => ({ at, kind: 'message', text })

test('keeps what happened under the id of the outcome, and nothing else beside it', async () => {
  const transcripts = transcriptsIn(join(folder, 'plain'))
  const id = randomUUID()
  const events: readonly TranscriptEvent[] = [
    { at: 0, kind: 'tool-call', tool: 'add', arguments: { a: 2, b: 3 } },
    { at: 0.5, kind: 'tool-result', tool: 'add', text: '5', failed: false, seconds: 0.5 },
  ]
  await transcripts.keep(
    outcomeWith(id),
    '/bin/a',
    executionWith({ transcript: events, structured: { sum: 5 } }),
  )
  expect(await transcripts.read(id)).toEqual({
    outcome: outcomeWith(id),
    launch: '/bin/a',
    answer: 'It is 5.',
    structured: { sum: 5 },
    failure: null,
    events,
    leftOut: 0,
  })
  expect(readdirSync(join(folder, 'plain'))).toEqual([`${id}.json`])
  if (process.platform !== 'win32') expect(statSync(transcripts.fileOf(id)).mode & 0o077).toBe(0)
})

test('one that was changed since is not shown, and says what to do; one of an older Audition is', async () => {
  const transcripts = transcriptsIn(join(folder, 'changed'))
  const id = randomUUID()
  await transcripts.keep(outcomeWith(id), '/bin/a', executionWith({}))
  const file = transcripts.fileOf(id)
  const kept = (await transcripts.read(id))!
  writeFileSync(file, readFileSync(file, 'utf8').replace('It is 5.', 'It is 7.'))
  await expect(transcripts.read(id)).rejects.toThrow(/not what was written\. Run `audition doctor --repair`/)
  writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`)
  expect(await transcripts.read(id)).toEqual(kept)
})

test('a flood is cut to size: how it began and how it ended stay', async () => {
  const transcripts = transcriptsIn(join(folder, 'flood'))
  const id = randomUUID()
  const flood = Array.from({ length: 5_000 }, (_, at) => message(at, `event ${at} ${'x'.repeat(1_000)}`))
  const execution = executionWith({
    transcript: flood,
    answer: 'y'.repeat(1_000_000),
    structured: { z: 'z'.repeat(1_000_000) },
  })
  await transcripts.keep(outcomeWith(id), '/bin/a', execution)
  expect(statSync(transcripts.fileOf(id)).size).toBeLessThan(1.1 * transcriptBytes)
  const kept = (await transcripts.read(id))!
  expect(kept.events[0]).toEqual(flood[0])
  expect(kept.events.at(-1)).toEqual(flood.at(-1))
  expect(kept.events.length + kept.leftOut).toBe(flood.length)
  expect(kept.answer).toMatch(/^y+… \(\d+ characters more\)$/)
  expect(kept).not.toHaveProperty('structured')
})

test('one huge event is cut, not lost', async () => {
  const transcripts = transcriptsIn(join(folder, 'huge'))
  const id = randomUUID()
  const call: TranscriptEvent = {
    at: 0,
    kind: 'tool-call',
    tool: 'write',
    arguments: { text: 'x'.repeat(900_000) },
  }
  await transcripts.keep(
    outcomeWith(id),
    '',
    executionWith({ transcript: [call, message(1, 'z'.repeat(900_000))] }),
  )
  const { events } = (await transcripts.read(id))!
  expect(events).toMatchObject([
    { kind: 'tool-call', arguments: expect.stringMatching(/^\{"text":"x+… /) },
    { kind: 'message', text: expect.stringMatching(/^z+… /) },
  ])
})

test('forgets those that it is told to, and minds no others', async () => {
  const transcripts = transcriptsIn(join(folder, 'forgotten'))
  const [first, second] = [randomUUID(), randomUUID()]
  for (const id of [first, second]) await transcripts.keep(outcomeWith(id), '', executionWith({}))
  await transcripts.forget([first, randomUUID(), '../second'])
  expect(await transcripts.read(first)).toBeNull()
  expect(await transcripts.read(second)).not.toBeNull()
})

test.each(['../../etc/passwd', 'a', '', `${randomUUID()}/..`])(
  'an id that is no UUID (%j) names no file',
  async (id) => {
    writeFileSync(join(folder, 'a.json'), '{}')
    const transcripts = transcriptsIn(folder)
    expect(await transcripts.read(id)).toBeNull()
    await expect(transcripts.keep(outcomeWith(id), '', executionWith({}))).rejects.toThrow(/no UUID/)
    expect(existsSync(join(folder, 'a.json'))).toBe(true)
  },
)

test('a transcript under the name of another is not served as its own, and told as damage', async () => {
  const place = join(folder, 'swapped')
  const transcripts = transcriptsIn(place)
  const ids = [randomUUID(), randomUUID()] as const
  for (const id of ids) await transcripts.keep(outcomeWith(id), '/bin/a', executionWith({}))
  const [one, other] = ids.map(transcripts.fileOf) as [string, string]
  renameSync(one, `${one}.kept`)
  renameSync(other, one)
  renameSync(`${one}.kept`, other)
  for (const id of ids) await expect(transcripts.read(id)).rejects.toThrow(/is not what was written/)
  const { damaged } = await lookThroughKeptFiles({ transcripts: place }, Date.now())
  expect(damaged).toEqual([one, other].sort())
})
