// Run by processes.ts: opens a model, then times it on queries, cards and candidates.
import { lanceReader } from '../../src/adapters/lancedb/lance-reader.ts'
import { staticModel } from '../../src/adapters/static-model/static-model.ts'
import { analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import type { DocumentHits } from '../../src/retrieval/index/best-documents.ts'
import { candidateFeatures, evidenceOfText } from '../../src/retrieval/rank/candidate-features.ts'
import type { ScoreList } from '../../src/retrieval/rank/fusion.ts'
import { vectorsOfCards } from '../../src/retrieval/vectors-of-cards.ts'
import { readCorpus } from '../corpus.ts'
import type { ModelTask, ModelTimes } from '../processes.ts'

const { model: folder, store, corpus, queries, passes } = JSON.parse(process.argv[2]!) as ModelTask
const candidates = 100

const started = performance.now()
const model = await staticModel(folder)
const openMs = performance.now() - started

const cards = readCorpus(corpus)
const reader = lanceReader(store)
const { tool: index } = (await reader.snapshot()).indexes
const ranker = model.ranker ?? null

const embedMs: number[][] = []
const cardsPerSecond: number[] = []
const featuresMs: number[][] = []
const treesMs: number[][] = []
for (let pass = 0; pass <= passes; pass += 1) {
  const own = { embed: [] as number[], features: [] as number[], trees: [] as number[] }
  for (const text of queries) {
    const asked = performance.now()
    const [vector] = await model.embed([text], 'query')
    own.embed.push(performance.now() - asked)
    if (ranker === null || index.vectors === null) continue
    const query = analyzeQuery(text)
    const lexical = listOf(index.search(query, candidates, null))
    const scored = index.vectors.scored(vector!, null)
    const dense = listOf(scored.best(candidates))
    const documents = [...new Set([...lexical.keys(), ...dense.keys()])].slice(0, candidates)
    const evidence = { index, probe: index.probe(query), lexical, dense, cosineOf: scored.of }
    const before = performance.now()
    const rows = candidateFeatures({ ...evidence, ...evidenceOfText(index, text, ranker.matcher) }, documents)
    const between = performance.now()
    ranker.trees.score(rows, documents.length)
    own.features.push(between - before)
    own.trees.push(performance.now() - between)
  }
  const embedding = performance.now()
  await vectorsOfCards(model, cards)
  // The first pass warms up.
  if (pass === 0) continue
  cardsPerSecond.push(cards.length / ((performance.now() - embedding) / 1000))
  embedMs.push(own.embed)
  featuresMs.push(own.features)
  treesMs.push(own.trees)
}
await reader.close()
const times: ModelTimes = {
  openMs,
  embedMs,
  cardsPerSecond,
  featuresMs: ranker && featuresMs,
  treesMs: ranker && treesMs,
}
process.send!(times, () => process.exit())

function listOf({ documents, scores }: DocumentHits): ScoreList {
  return new Map(Array.from(documents, (document, place) => [document, scores[place]!]))
}
