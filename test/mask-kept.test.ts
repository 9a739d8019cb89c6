import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import type { Outcome } from '../src/domain/outcome.ts'
import { transcriptsIn } from '../src/probing/record/transcripts.ts'
import { folderWith } from './catalog/temporary-folder.ts'
import { runCaptured } from './fakes/captured-terminal.ts'

const value = 'quiet-otter-9182'
const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const profile = `profile: audition/v1
name: clerk
description: Counts
run:
  command: node
  args: [-e, "1"]
  env:
    PLACE: \${MY_SERVICE_VALUE}
`

const outcome = (card: string, digit: number, task: string, reason: string): Outcome => ({
  id: `0000000${digit}-0000-4000-8000-000000000000`,
  card,
  cardHash: 'h',
  kind: 'agent',
  task,
  time: `2026-01-0${digit}T00:00:00.000Z`,
  origin: 'probe',
  executor: 'command',
  ending: 'answered',
  verdict: { grade: 2, reason, judge: 'reference' },
  seconds: 1,
  tokens: null,
  cost: null,
})

/** A store in which an older Audition kept what agents said as it came. */
async function oldStore() {
  const folder = folderWith({ 'agents/x.md': '', 'settings.yaml': '' })
  writeFileSync(join(folder, 'agents', 'clerk.yaml'), profile)
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_MODEL: 'none',
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    MY_SERVICE_VALUE: value,
  }
  const app = openAudition(configFrom(env))
  onTestFinished(() => app.close())
  const run = (...argv: readonly string[]) =>
    runCaptured(argv, app, { cwd: folder, home: folder, env: { ...env, COLUMNS: '300' } })
  await run('index', join(folder, 'agents', 'clerk.yaml'))
  const [id = ''] = await app.completeIds('', 1, 'agent')
  const kept = [
    outcome(id, 1, 'count', `It said ${value}.`),
    outcome(id, 2, `use ${token}`, 'Right.'),
    outcome(id, 3, 'count to 3', 'Right.'),
  ]
  await (await app.record()).add(kept)
  const transcripts = transcriptsIn(join(folder, 'store', 'transcripts'))
  for (const [at, answer] of [value, `token ${token}`, 'three'].entries())
    await transcripts.keep(kept[at]!, 'node', {
      ending: 'answered',
      answer,
      failure: null,
      seconds: 1,
      outputBytes: 1,
      tokens: null,
      cost: null,
      transcript: [{ at: 0, kind: 'tool-call', tool: 'x', arguments: { [answer]: [answer] } }],
    })
  return { app, run, kept, store: join(folder, 'store') }
}

test('what was only simulated is masked too', async () => {
  const { app, run, kept, store } = await oldStore()
  await (await app.simulatedRecord()).add(kept)
  await transcriptsIn(join(store, 'simulated', 'transcripts')).keep(kept[0]!, 'node', {
    ending: 'answered',
    answer: value,
    failure: null,
    seconds: 1,
    outputBytes: 1,
    tokens: null,
    cost: null,
    transcript: [],
  })
  expect((await run('doctor')).stdout).toMatch(/looks like a token stands in 2 outcomes and 1 transcript/)
  expect((await run('record', 'mask')).stdout).toBe('Masked secrets in 4 outcomes and 3 transcripts.\n')
  expect(JSON.stringify(await (await app.simulatedRecord()).list())).not.toMatch(
    new RegExp(`${value}|${token}`),
  )
  expect(await (await app.simulatedProbing()).transcript(kept[0]!.id)).toMatchObject({ answer: '***' })
})

test('what is known as secret now is masked in what was kept before, on the disk too', async () => {
  const { app, run, kept, store } = await oldStore()
  expect((await run('record', 'mask', '--dry-run')).stdout).toBe(
    'A secret stands in 2 outcomes and 2 transcripts.\n',
  )
  expect((await app.record().then((record) => record.list())).map(({ id }) => id)).toHaveLength(3)
  const before = await run('doctor')
  expect(before.stdout).toMatch(/looks like a token stands in 1 outcome and 1 transcript/)
  expect(before.stdout).toContain('`audition record mask`')

  expect((await run('record', 'mask')).stdout).toBe('Masked secrets in 2 outcomes and 2 transcripts.\n')
  const outcomes = await (await app.record()).list()
  expect(
    outcomes.map(({ task, verdict }) => [task, verdict && 'grade' in verdict ? verdict.reason : '']),
  ).toEqual([
    ['count to 3', 'Right.'],
    ['use ***', 'Right.'],
    ['count', 'It said ***.'],
  ])
  expect(outcomes[0]).toEqual(kept[2])
  const transcript = await (await app.probing()).transcript(kept[0]!.id)
  expect(transcript).toMatchObject({ answer: '***', outcome: { id: kept[0]!.id, task: 'count' } })
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const { parentPath, path, name } of files) {
    const bytes = readFileSync(join(parentPath ?? path, name), 'latin1')
    expect(bytes.includes(value) || bytes.includes(token), name).toBe(false)
  }
  expect((await run('record', 'mask')).stdout).toBe('Masked secrets in 0 outcomes and 0 transcripts.\n')
  expect((await run('doctor')).stdout).toContain('no token stands in what is kept of runs')
})
