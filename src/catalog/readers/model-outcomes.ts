import { beginningOf } from '../../domain/text/cut.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { TaskScores } from '../../domain/model-card.ts'
import { firstJsonLine, linesOf, RefusedRecord, recordsAt } from '../formats/json-lines.ts'
import { field, textOf } from '../formats/published-fields.ts'
import { catalogName, hasEnding } from '../path-names.ts'
import type { Reader } from '../ports.ts'

/** Characters of a task that are kept. */
const longestTask = 8000

/** Reads tables of how well models did tasks: `query` with `scores` by model, or `query`, `model` and `score`, one a line. */
export const modelOutcomes: Reader = {
  name: 'model-outcomes',
  describes: 'Scores of language models by query: "query" and "scores", or "model" and "score" (JSON Lines)',
  grain: 'catalog',
  recognises(document) {
    if (!hasEnding(document.path, 'jsonl', 'ndjson')) return false
    const first = firstJsonLine(document)
    if (first === undefined || textOf(first.query) === '') return false
    return isJsonObject(first.scores) || (textOf(first.model) !== '' && Object.hasOwn(first, 'score'))
  },
  read(document) {
    const { records, problems } = recordsAt(document, linesOf(document.text), scoresOf)
    const sourceName = field('sourceName', catalogName(document.path))
    const models = { models: [], outcomes: byTask(records) }
    return { cards: [], servers: [], problems, models, ...sourceName }
  },
}

function scoresOf(record: JsonObject): TaskScores | RefusedRecord {
  const task = beginningOf(textOf(record.query), longestTask)
  if (task === '')
    return new RefusedRecord({
      field: 'query',
      message: 'the record has no query',
      remedy: 'Give every record its "query", as text.',
    })
  const wide = isJsonObject(record.scores) ? record.scores : undefined
  const isWide = wide !== undefined
  const given: readonly (readonly [string, unknown])[] = isWide
    ? Object.entries(wide)
    : [[textOf(record.model), record.score]]
  const scores: Record<string, number> = {}
  for (const [model, score] of given) {
    if (!/^[^\s\p{C}]+$/u.test(model))
      return new RefusedRecord({
        field: isWide ? 'scores' : 'model',
        message: 'a model has no name',
        remedy: nameIt,
      })
    if (typeof score !== 'number' || !(score >= 0 && score <= 1))
      return new RefusedRecord({
        field: isWide ? `scores.${model}` : 'score',
        message: 'the score is no number from 0 to 1',
        remedy: 'Write 1 for a success, 0 for a failure, or what is between.',
      })
    scores[model] = score
  }
  return { task, scores }
}

const nameIt = 'Name the model as its provider does, without white space.'

/** One row per task; what a model did several times is its mean. */
function byTask(records: readonly TaskScores[]): readonly TaskScores[] {
  const tasks = new Map<string, Map<string, readonly [sum: number, count: number]>>()
  for (const { task, scores } of records) {
    const known = tasks.get(task) ?? new Map<string, readonly [number, number]>()
    tasks.set(task, known)
    for (const [model, score] of Object.entries(scores)) {
      const [sum, count] = known.get(model) ?? [0, 0]
      known.set(model, [sum + score, count + 1])
    }
  }
  return [...tasks].map(([task, models]) => ({
    task,
    scores: Object.fromEntries([...models].map(([model, [sum, count]]) => [model, sum / count])),
  }))
}
