import { basename, join, resolve } from 'node:path'
import { identify, keyOf, sourceIdOf } from '../../../src/catalog/identity.ts'
import type { CardDraft } from '../../../src/catalog/ports.ts'
import type { Card } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import type { Grades } from '../../../src/domain/ranking.ts'
import {
  assembled,
  counted,
  DatasetError,
  type DatasetRecipe,
  type JudgedQuery,
  wantedNames,
} from '../../../src/evaluation/datasets/dataset.ts'
import {
  fileIn,
  fingerprintOf,
  jsonLinesOf,
  namesIn,
  openFile,
} from '../../../src/evaluation/datasets/files.ts'
import { manifestOf } from './manifest.ts'

/**
 * A folder in the layout of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`. A document becomes a tool
 * card, its title the name. Each split is a part; `test` alone is read when it is there and none was named.
 *
 * @see Thakur et al., BEIR, NeurIPS Datasets and Benchmarks 2021
 */
export const beir: DatasetRecipe = {
  name: 'beir',
  describes: 'A folder in the layout of BEIR: corpus.jsonl, queries.jsonl, qrels/*.tsv',
  recognises: (path) =>
    fileIn(path, 'corpus.jsonl') !== undefined &&
    fileIn(path, 'queries.jsonl') !== undefined &&
    splitsOf(path).length > 0,
  async read(path, only) {
    const corpus = fileIn(path, 'corpus.jsonl')
    const queries = fileIn(path, 'queries.jsonl')
    const splits = splitsOf(path)
    if (corpus === undefined || queries === undefined || splits.length === 0) {
      throw new DatasetError(
        `${path}: no folder in the layout of BEIR.`,
        'It needs corpus.jsonl, queries.jsonl and qrels/<split>.tsv.',
      )
    }
    const name = sourceIdOf(basename(resolve(path)))
    const wanted = only.length === 0 && splits.includes('test') ? ['test'] : wantedNames('beir', splits, only)
    const cards = readCorpus(corpus, name)
    const texts = new Map(jsonLinesOf(queries).map((record) => [String(record._id), textOf(record.text)]))
    const ids = new Set(cards.map(({ id }) => id))
    const read = wanted.map((split) =>
      readSplit(join(path, 'qrels', `${split}.tsv`), split, name, texts, ids),
    )
    const files = [corpus, queries, ...wanted.map((split) => join(path, 'qrels', `${split}.tsv`))]
    return assembled(
      {
        name,
        origin: `BEIR folder, ${cards.length} documents (sha256 ${fingerprintOf(files)})`,
        parts: read.map((split) => ({ name: split.split, kind: 'tool', cards, queries: split.queries })),
        headline: manifestOf('beir').measures,
        notes: [
          ...counted(
            read.reduce((sum, { absent }) => sum + absent, 0),
            'judged query has no text and was left out.',
            'judged queries have no text and were left out.',
          ),
          ...counted(
            read.reduce((sum, { unresolved }) => sum + unresolved, 0),
            'judgement names a document that is not in the corpus; nothing can find it.',
            'judgements name documents that are not in the corpus; nothing can find them.',
          ),
        ],
      },
      path,
    )
  },
}

const splitsOf = (path: string): readonly string[] =>
  namesIn(join(path, 'qrels')).flatMap((name) => /^(.+)\.tsv$/.exec(name)?.[1] ?? [])

function readCorpus(path: string, name: string): readonly Card[] {
  const origin = { reader: 'beir', location: path }
  const drafts = jsonLinesOf(path).map((record) => ({ draft: draftOf(record), origin }))
  return identify(name, drafts).cards
}

const draftOf = (record: JsonObject): CardDraft => ({
  kind: 'tool',
  key: String(record._id),
  name: textOf(record.title) || String(record._id),
  description: textOf(record.text),
  examples: [],
  tags: [],
  parameters: [],
})

/** Reads judgements: query id, document id and grade, by tabs; a first line of column names is passed over. */
function readSplit(
  path: string,
  split: string,
  name: string,
  texts: ReadonlyMap<string, string>,
  ids: ReadonlySet<string>,
) {
  const qrels = new Map<string, Map<string, number>>()
  for (const [index, line] of openFile(path).text.split('\n').entries()) {
    const fields = line.trim().split('\t')
    if (line.trim() === '' || (index === 0 && Number.isNaN(Number(fields.at(-1))))) continue
    const grade = Number(fields.at(-1))
    // Three columns as BEIR writes them, or TREC's four with the unused second one.
    const [query, document] = fields.length === 4 ? [fields[0], fields[2]] : fields
    if (query === undefined || document === undefined || fields.length < 3 || Number.isNaN(grade)) {
      throw new DatasetError(
        `${path}, line ${index + 1}: not a query id, a document id and a grade.`,
        'Separate them by tabs.',
      )
    }
    const grades = qrels.get(query) ?? new Map<string, number>()
    qrels.set(query, grades.set(`${name}/${keyOf(document)}`, Math.max(0, Math.round(grade))))
  }
  const queries = [...qrels].flatMap(([id, grades]): JudgedQuery[] => {
    const text = texts.get(id) ?? ''
    return text === '' ? [] : [{ id, text, grades }]
  })
  return {
    split,
    queries,
    absent: qrels.size - queries.length,
    unresolved: queries.reduce((sum, { grades }) => sum + unknownOf(grades, ids), 0),
  }
}

const unknownOf = (grades: Grades, ids: ReadonlySet<string>): number =>
  [...grades].filter(([id, grade]) => grade > 0 && !ids.has(id)).length

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
