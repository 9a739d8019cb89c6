import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import { parseRun, runText } from '../../src/evaluation/runs/run-file.ts'
import type { CrossEncoder } from '../../src/retrieval/rank/cross-encoder.ts'
import { RerankerError } from '../../src/retrieval/rank/service-failures.ts'
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

  test('tells how many queries it failed for, and what it took', async () => {
    const { encoder, depth } = stage()
    let asked = 0
    const score: CrossEncoder['score'] = async (query, documents, watch) => {
      watch?.onUsage?.({ tokens: { input: 1000, output: 20 }, cost: 0.01 })
      if (asked++ === 1) throw new RerankerError('api.test is busy.', 'Try again later.')
      return encoder.score(query, documents, watch)
    }
    const crossEncoder = { encoder: { ...encoder, score }, depth }
    const { run } = await evaluate(smallDataset, {}, { model: null, crossEncoder })
    expect(run.dataset.notes).toEqual(
      expect.arrayContaining([
        `The reranker failed for 1 query of ${asked}, which the stage before ranked. The last reason: api.test is busy. Try again later.`,
        `Reranking took ${asked} requests and ${(asked * 1020).toLocaleString('en')} tokens, $${(asked * 0.01).toFixed(4)}.`,
      ]),
    )
  })

  test('ends when the reranker never succeeds: it would measure another ranker', async () => {
    const score = async () => Promise.reject(new RerankerError('api.test is busy.', 'Try again later.'))
    const crossEncoder = { encoder: { ...stage().encoder, score }, depth: 7 }
    await expect(evaluate(smallDataset, {}, { model: null, crossEncoder })).rejects.toThrow(
      /The reranker failed .* api\.test is busy/,
    )
  })

  test('cannot be had without one', async () => {
    await expect(evaluate(smallDataset, { ranker: 'cross-encoder' }, { model: null })).rejects.toMatchObject({
      remedy: expect.stringContaining('set AUDITION_RERANKER'),
    })
  })
})
