import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { combineJudges } from '../../src/probing/judges/combine-judges.ts'
import { keptProbesIn, parseKept } from '../../src/probing/record/kept-probes.ts'
import { openProbing } from '../../src/probing/run/open-probing.ts'
import type { Judge, ProbeWriter } from '../../src/probing/ports.ts'
import type { TellingTask } from '../../src/domain/weigh-probes.ts'
import { transcriptsIn } from '../../src/probing/record/transcripts.ts'
import { agentCard } from '../fakes/fake-audition.ts'
import { memoryRecord } from '../fakes/memory-record.ts'
import { scriptedExecutor } from '../fakes/scripted-executor.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-probes-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const told = (task: string, variance: number): TellingTask => ({
  task,
  variance,
  discrimination: variance === 0 ? 'low' : 'high',
})

describe('tasks that were written for a goal', () => {
  test('are kept when they told candidates apart, the most telling first, and dropped when they no longer do', async () => {
    const probes = keptProbesIn(join(folder, 'probes.json'))
    expect(await probes.of('Plan a trip')).toEqual([])
    await probes.learn(
      'Plan a trip',
      ['one', 'two', 'three'],
      [told('one', 1), told('two', 0), told('three', 4)],
    )
    expect(await keptProbesIn(join(folder, 'probes.json')).of('  plan a  TRIP ')).toEqual(['three', 'one'])
    await probes.learn('Plan a trip', ['three'], [told('three', 0)])
    expect(await probes.of('Plan a trip')).toEqual(['one'])
    await probes.learn('Plan a trip', ['one'], [told('one', 0), told('somebody else’s', 4)])
    expect(await probes.of('Plan a trip')).toEqual([])
    expect(parseKept(readFileSync(join(folder, 'probes.json'), 'utf8'))).toEqual([])
  })

  test('are written anew where the file is damaged', async () => {
    writeFileSync(join(folder, 'probes.json'), '{"goal"')
    const probes = keptProbesIn(join(folder, 'probes.json'))
    expect(await probes.of('Plan a trip')).toEqual([])
    await probes.learn('Plan a trip', ['one'], [told('one', 4)])
    expect(await probes.of('Plan a trip')).toEqual(['one'])
  })
})

test('a goal is probed with the tasks that told candidates apart before; the writer is asked for the rest', async () => {
  const [good, bad] = [agentCard('team/good'), agentCard('team/bad')]
  const executor = scriptedExecutor({
    [good.id]: () => ({ answer: 'right' }),
    [bad.id]: ({ text }) => ({ answer: text.startsWith('easy') ? 'right' : 'wrong' }),
  })
  const judge: Judge = {
    name: 'by the word',
    judge: async (_, { answer }) => ({
      grade: answer === 'right' ? 5 : 1,
      reason: answer,
      judge: 'by the word',
    }),
  }
  const asked: number[] = []
  const writer: ProbeWriter = {
    model: 'scripted',
    async write({ count }) {
      asked.push(count)
      return ['easy', 'hard', 'harder'].slice(0, count).map((word) => `${word} ${asked.length}`)
    },
  }
  const open = (openWriter: () => Promise<ProbeWriter | null>) =>
    openProbing({
      executors: () => [executor],
      openJudge: async () => combineJudges({ reference: judge, model: judge }),
      openWriter,
      openRecord: async () => memoryRecord(),
      transcripts: transcriptsIn(join(folder, 'transcripts')),
      keptProbes: keptProbesIn(join(folder, 'probes.json')),
      ownTasks: async () => [],
      settingsFile: join(folder, 'settings.yaml'),
      catalog: '/catalog',
    })
  const request = {
    cards: [good, bad],
    tasks: { kind: 'written', goal: 'do it', count: 3 },
    allow: ['command:*'],
  } as const
  const tasksOf = async (openWriter: () => Promise<ProbeWriter | null>, count = 3) => {
    const { candidates } = await open(openWriter).probe({ ...request, tasks: { ...request.tasks, count } })
    return candidates[0]!.runs.map(({ outcome }) => outcome.task).sort()
  }
  expect(await tasksOf(async () => writer)).toEqual(['easy 1', 'hard 1', 'harder 1'])
  expect(await tasksOf(async () => writer)).toEqual(['easy 2', 'hard 1', 'harder 1'])
  expect(asked).toEqual([3, 1])
  // What is kept needs no model.
  expect(await tasksOf(async () => null, 2)).toEqual(['hard 1', 'harder 1'])
})
