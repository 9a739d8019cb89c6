import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultLimits, type ProbeWriter } from '../../src/probing/ports.ts'
import type { TaskChoice } from '../../src/probing/run/probing.ts'
import { agentCard } from '../fakes/fake-audition.ts'
import { scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const card = agentCard('team/a')

/** Probing whose record takes nothing, and what it started or paid for nevertheless. */
function withoutRecord() {
  const executor = scriptedExecutor({ [card.id]: () => ({ answer: '5' }) })
  let written = 0
  const writer: ProbeWriter = {
    model: 'scripted',
    async write() {
      written += 1
      return ['2 + 3']
    },
  }
  const probing = scriptedProbing(temporaryFolder(), executor, { writer })
  probing.record.requireWritable = async () => {
    throw new Error('the disk may only be read')
  }
  return { probing, started: executor.started, written: () => written }
}

test.each<{ readonly tasks: TaskChoice }>([
  { tasks: { kind: 'given', tasks: [{ text: '2 + 3' }] } },
  { tasks: { kind: 'written', goal: 'add', count: 1 } },
])(
  'what happens cannot be recorded: no candidate is started and no task written, $tasks.kind',
  async (how) => {
    const { probing, started, written } = withoutRecord()
    const probe = probing.probe({ cards: [card], allow: ['command:*'], limits: defaultLimits, ...how })
    await expect(probe).rejects.toThrow('the disk may only be read')
    expect([started, written()]).toEqual([[], 0])
  },
)

test('a run that is to be recorded and cannot be is not started', async () => {
  const { probing, started } = withoutRecord()
  writeFileSync(probing.settingsFile, 'recordRuns: true\n')
  const request = { card, task: { text: '2 + 3' }, allow: ['command:*'] }
  await expect(probing.run(request)).rejects.toThrow('the disk may only be read')
  expect(started).toEqual([])
  writeFileSync(probing.settingsFile, 'recordRuns: false\n')
  expect(await probing.run(request)).toMatchObject({ kind: 'ran', recorded: null })
})

test('a record that takes nothing does not matter where nothing may be started', async () => {
  const { probing } = withoutRecord()
  const tasks = { kind: 'given', tasks: [{ text: '2 + 3' }] } as const
  const { candidates } = await probing.probe({ cards: [card], tasks })
  expect(candidates).toMatchObject([{ notRun: { kind: 'permission' } }])
})
