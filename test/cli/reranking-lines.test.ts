import { expect, test } from 'vitest'
import { rerankingLines } from '../../src/cli/render/reranking-lines.ts'
import { outputOver } from '../../src/cli/terminal.ts'
import type { RerankingTable } from '../../src/evaluation/evaluation-run.ts'
import { capture } from '../fakes/captured-terminal.ts'

const estimate = (mean: number) => ({ mean, low: mean - 0.05, high: mean + 0.05, queries: 9 })
const difference = estimate(0.2)
const table: RerankingTable = {
  rows: [
    { name: 'random order', kind: 'chance' },
    { name: 'first stage: theirs.trec', kind: 'first stage' },
    {
      name: 'rerank:cohere#rerank-v3.5',
      kind: 'reranker',
      asked: 9,
      failed: 1,
      requests: 8,
      tokens: 12_345,
      cost: 0.5,
      failure: 'api.cohere.com is out of order\u001b[31m (HTTP 500).',
    },
    { name: 'llm:ollama:qwen3:8b', kind: 'reranker', failure: 'The reranker failed for 5 queries of 5.' },
  ],
  blocks: [
    {
      part: 'macro',
      estimates: [
        ...[0.3, 0.5, 0.7].map((mean) => ({ 'ndcg@5': estimate(mean), 'ndcg@20': estimate(mean) })),
        {},
      ],
      pairs: [
        { row: 1, other: 0, difference, p: 0.04, pHolm: 0.08 },
        { row: 2, other: 0, difference, p: 0.001, pHolm: 0.003 },
        { row: 2, other: 1, difference, p: 0.01, pHolm: 0.02 },
      ],
      published: [{ name: 'Their best', values: { 'ndcg@5': 0.645 } }],
      note: 'Published rows: Them, 2026.',
    },
  ],
}

test('rerankers stand in one table with chance, the first stage and published rows, each with what it took', () => {
  const output = outputOver(capture(120).stream, { NO_COLOR: '1' }, [])
  const lines = rerankingLines(table, ['ndcg@5', 'ndcg@20', 'refusal'], output)
  const cells = lines.map((line) => line.trim().split(/ {2,}/))
  expect(cells).toEqual(
    expect.arrayContaining([
      ['Reranking, mean of all'],
      ['row', 'nDCG@5', 'nDCG@20', 'above', 'failed', 'requests', 'tokens', '$'],
      ['a', 'random order', '30.0 [25.0, 35.0]', '30.0'],
      ['b', 'first stage: theirs.trec', '50.0 [45.0, 55.0]', '50.0'],
      ['c', 'rerank:cohere#rerank-v3.5', '70.0 [65.0, 75.0]', '70.0', 'ab', '1', '8', '12,345', '0.5000'],
      ['d', 'llm:ollama:qwen3:8b', '–', '–'],
      ['published: Their best', '64.5', '–'],
    ]),
  )
  const text = lines.join('\n')
  expect(text).toContain('Published rows: Them, 2026.')
  expect(text).toContain('llm:ollama:qwen3:8b: The reranker failed for 5 queries of 5.')
  expect(text).not.toContain('\u001b')
})

test('a table of a part tells what was taken in that part', () => {
  const output = outputOver(capture(120).stream, { NO_COLOR: '1' }, [])
  const [block] = table.blocks
  const own = { asked: 4, failed: 1, requests: 3, tokens: 999, cost: 0.25 }
  const parts = [
    { ...block!, part: 'web', took: [{}, {}, own, {}] },
    { ...block!, part: 'sky' },
  ]
  const lines = rerankingLines({ ...table, blocks: parts }, ['ndcg@5'], output)
  const rows = lines.map((line) => line.trim().split(/ {2,}/)).filter(([letter]) => letter === 'c')
  // Runs of earlier versions tell it for the whole run alone.
  expect(rows.map((cells) => cells.slice(4))).toEqual([['1', '3', '999', '0.2500'], []])
})
