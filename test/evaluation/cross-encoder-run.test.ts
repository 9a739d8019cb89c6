import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { parseRun, runText } from '../../src/evaluation/runs/run-file.ts'
import { fixedCrossEncoder } from '../fakes/fixed-cross-encoder.ts'
import { hashedWordsModel } from '../fakes/hashed-words-model.ts'
import { smallDataset } from './small-dataset.ts'

/** Reads the shortest card as the best. */
const stage = () => ({ encoder: fixedCrossEncoder((document) => 1 / document.length), depth: 7 })

describe('a run with a cross-encoder', () => {
  test('says which it was and how many candidates it read, and goes through a file unchanged', async () => {
    const { run } = await evaluate(smallDataset, {}, { model: null, crossEncoder: stage() })
    expect(run.name).toBe('small cross-encoder fixed own')
    expect(run.settings).toMatchObject({
      ranker: 'cross-encoder',
      model: null,
      crossEncoder: { model: 'fixed', depth: 7 },
    })
    const found = run.outcomes.flatMap(({ candidates }) => candidates)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ signals }) => signals?.crossEncoder !== undefined)).toBe(true)
    expect(parseRun(runText(run), 'run.json')).toEqual(run)
  })

  test('gives equal bytes for equal inputs, and ranks by what the model said', async () => {
    const once = (await evaluate(smallDataset, {}, { model: null, crossEncoder: stage() })).run
    const again = (await evaluate(smallDataset, {}, { model: null, crossEncoder: stage() })).run
    expect(runText(again)).toBe(runText(once))
    for (const { candidates } of once.outcomes) {
      const said = candidates.map(({ signals }) => signals!.crossEncoder!)
      expect(said).toEqual(said.toSorted((a, b) => b - a))
    }
  })

  test.each(['lexical', 'hybrid'] as const)('of ranker %s leaves it out', async (ranker) => {
    const model = hashedWordsModel()
    const crossEncoder = stage()
    const { run } = await evaluate(smallDataset, { ranker }, { model, crossEncoder })
    expect(run.settings.ranker).toBe(ranker)
    expect(run.settings).not.toHaveProperty('crossEncoder')
    expect(crossEncoder.encoder.read).toEqual([])
  })

  test('stands on the dense retriever where there is one', async () => {
    const model = hashedWordsModel()
    const settings = { ranker: 'cross-encoder' } as const
    const { run } = await evaluate(smallDataset, settings, { model, crossEncoder: stage() })
    expect(run.settings).toMatchObject({ ranker: 'cross-encoder', model: 'hashed-words' })
    expect(run.outcomes.some(({ candidates }) => candidates[0]?.signals?.dense !== undefined)).toBe(true)
  })

  test('cannot be had without one', async () => {
    await expect(evaluate(smallDataset, { ranker: 'cross-encoder' }, { model: null })).rejects.toMatchObject({
      remedy: expect.stringContaining('set AUDITION_RERANKER'),
    })
  })
})
