import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DatasetError } from '../../../src/evaluation/datasets/dataset.ts'
import { evaluate } from '../../../src/evaluation/evaluate.ts'
import { readDataset } from '../../fixtures/every-dataset.ts'
import { parseRun, runText } from '../../../src/evaluation/runs/run-file.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const agentOf = (letter: string, platform = 'shop') => `agt:${platform}:00000${letter}@v1.1`
const tasks = ['Plan a trip', 'Book a room', 'Write a poem'].map((task, at) => ({
  id: `q:${at}`,
  type: 'single',
  task,
  n_judged: 3,
}))

/** Scores of agents a, b and c per task. */
const folderOf = (scores: readonly (readonly number[])[]) =>
  folderWith({
    'tasks.jsonl': tasks,
    'judgements.jsonl': scores.flatMap((row, at) =>
      row.map((score, agent) => ({ task: `q:${at}`, agent: agentOf('abc'[agent]!), score, reasoning: '' })),
    ),
  })

const replayed = async (scores: readonly (readonly number[])[]) => {
  const dataset = await readDataset('agentsearch-record', { from: folderOf(scores) })
  return (await evaluate(dataset, {}, { model: null })).run
}

describe('agentsearch-record', () => {
  test('puts the agent that did well on the other tasks first', async () => {
    const { outcomes, micro } = await replayed([
      [5, 1, 1],
      [4, 2, 1],
      [5, 1, 1],
    ])
    expect(outcomes.map(({ candidates }) => candidates[0]!.id)).toEqual(Array(3).fill('shop/00000a'))
    expect(micro['ndcg@5']).toMatchObject({ mean: 1, queries: 3 })
  })

  test("never sees the verdicts of the task it ranks: they do not change its candidates' scores", async () => {
    const scoresOf = async (own: readonly number[]) =>
      new Map(
        (await replayed([own, [4, 2, 1], [5, 4, 1]])).outcomes[0]!.candidates.map(({ id, score }) => [
          id,
          score,
        ]),
      )
    expect(await scoresOf([1, 1, 5])).toEqual(await scoresOf([5, 1, 1]))
  })

  test('measures only tasks that somebody solved, and keeps the others in the record', async () => {
    const { outcomes, dataset } = await replayed([
      [5, 1, 1],
      [1, 1, 1],
      [5, 4, 1],
    ])
    expect(outcomes.map(({ id }) => id)).toEqual(['q:0', 'q:2'])
    expect(dataset.notes).toContain('1 task that no agent solved is in the record and not measured.')
  })

  test('tells random order, the order of the platforms and the shrunken mean beside it, and the spread', async () => {
    const { dataset, settings } = await replayed([
      [5, 1, 1],
      [4, 2, 1],
      [5, 1, 1],
    ])
    expect(settings.ranker).toBe('record')
    expect(dataset.notes.slice(0, 4)).toEqual([
      expect.stringContaining('random order: ndcg@5'),
      expect.stringContaining('order of the platforms: ndcg@5'),
      expect.stringContaining("shrunken toward its platform's: ndcg@5"),
      expect.stringContaining('random halves'),
    ])
  })

  test('is kept and read again as any run', async () => {
    const run = await replayed([
      [5, 1, 1],
      [4, 2, 1],
      [5, 1, 1],
    ])
    expect(parseRun(runText(run), 'here')).toEqual(run)
  })

  test('says what to give when a folder holds no judged runs', async () => {
    const folder = folderWith({ 'tasks.jsonl': tasks })
    await expect(readDataset('agentsearch-record', { from: folder })).rejects.toThrow(DatasetError)
  })

  test('says so when nobody solved anything', async () => {
    await expect(replayed([[1, 1, 1]])).rejects.toThrow('no task that a candidate solved')
  })
})

const released = resolve(import.meta.dirname, '../../../../shared/data/agentsearch')

describe('the released runs of AgentSearchBench', () => {
  test.skipIf(!existsSync(released))(
    'are ranked better by record than by platform, and reach the floor (skipped: data not present)',
    async () => {
      const dataset = await readDataset('agentsearch-record', { from: released })
      const { run } = await evaluate(dataset, {}, { model: null })
      expect(run.outcomes.length).toBe(35)
      expect(run.micro['ndcg@5']!.mean).toBeGreaterThanOrEqual(0.735)
    },
  )
})
