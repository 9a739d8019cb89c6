import { callableModels } from '../adapters/ai-sdk/models/callable-models.ts'
import { lanceModels } from '../adapters/lancedb/models-table.ts'
import type { CallableModel } from '../assembling/ports.ts'
import type { Config } from '../config.ts'
import type { Card } from '../domain/card.ts'
import { modelKey } from '../domain/model-card.ts'
import { briefOutcome, succeeded } from '../domain/outcome.ts'
import { type CompareOptions, compareModels, type ModelComparison, priced } from '../models/compare-models.ts'
import { modelEstimates } from '../models/model-estimate.ts'
import { cosinesWith, type ModelTask, type TaskTable, taskTable } from '../models/task-table.ts'
import type { TrackRecord } from '../probing/ports.ts'
import { readSettings } from '../probing/settings/settings-file.ts'
import type { EmbeddingModel } from '../retrieval/ports.ts'
import type { RecordIndex } from '../retrieval/record/record-index.ts'
import { NotAgreedError } from '../store/catalog-writer.ts'
import { languageModelWith } from './language-models.ts'
import type { OpenStore } from './open-store.ts'

/** What the scores of models are told from; opened when they are asked for. */
type Parts = Pick<OpenStore, 'openReader' | 'openModel'> & {
  readonly cards: (ids: readonly string[]) => Promise<readonly Card[]>
  readonly openRecord: () => Promise<Pick<TrackRecord, 'list'> & { index(): Promise<RecordIndex> }>
}

/** Compares the models that can be called, and those of lists, by what the record and indexed outcomes say of them. */
export type ModelScores = ReturnType<typeof openModelScores>

export function openModelScores(config: Config, parts: Parts) {
  const stored = lanceModels(config.home)
  const groundNow = groundReader(stored, parts)

  const callable = async () => {
    const settings = await readSettings(config.settings)
    const models = callableModels(languageModelWith(config, settings), settings.prices)
    return { priceWeight: settings.priceWeight, models }
  }

  return {
    async compare(options: CompareOptions = {}): Promise<ModelComparison> {
      const { task = null, among } = options
      const { priceWeight, models } = await callable()
      if (among === 'callable' && models.configured.length === 0)
        return { task, priceWeight, models: [], known: 0, tasks: 0 }
      const { cards, estimates, tasks } = await groundNow()
      return compareModels(
        { cards, estimates, tasks, callable: models.configured.map(cardOf) },
        task === null ? null : await asTask(task, parts),
        { priceWeight, ...options },
      )
    },
    /** What each is worth in a task, in the order given. */
    async scores(task: string, backbones: readonly CallableModel[]): Promise<readonly number[]> {
      if (backbones.length < 2) return backbones.map(() => 1)
      const [{ priceWeight }, { cards, estimates }] = await Promise.all([callable(), groundNow()])
      const prices = new Map(cards.map(({ id, price }) => [id, price]))
      const models = backbones.map(({ backbone, price }) => {
        const known = price ?? prices.get(backbone.id ?? backbone.name)
        return { id: backbone.id ?? backbone.name, ...(known === undefined ? {} : { price: known }) }
      })
      const worth = priced(models, priceWeight)
      const of = estimates.of(estimates.known.size === 0 ? null : await asTask(task, parts))
      return models.map((model) => worth(model, of(model.id).estimate))
    },
    close: async () => stored.close(),
  }
}

/** What models are compared on. */
type Ground = {
  readonly cards: Parameters<typeof compareModels>[0]['cards']
  readonly estimates: ReturnType<typeof modelEstimates>
  readonly tasks: number
}

/** Reads the ground once, and again when lists or the record have changed. */
function groundReader(stored: StoredModels, parts: Parts): () => Promise<Ground> {
  let ground: { readonly of: string; readonly read: Promise<Ground> } | undefined
  return async () => {
    const record = await (await parts.openRecord()).index()
    const sources = (await (await parts.openReader()).sources()).map(({ id }) => id)
    const of = JSON.stringify([await stored.version(), sources, record.model, record.size])
    if (ground?.of !== of) ground = { of, read: readGround({ stored, sources }, record, parts) }
    return ground.read
  }
}

type StoredModels = ReturnType<typeof lanceModels>

async function readGround(
  { stored, sources }: { readonly stored: StoredModels; readonly sources: readonly string[] },
  record: RecordIndex,
  parts: Parts,
): Promise<Ground> {
  const lists = (await stored.read())
    .filter(({ source }) => sources.includes(source))
    .sort((a, b) => (a.source < b.source ? -1 : 1))
  const tables = lists.map(({ list, embedded }) =>
    taskTable(
      list.outcomes,
      embedded && {
        model: embedded.model,
        cosines: (_, vector) => cosinesWith(embedded.vectors, vector),
      },
    ),
  )
  const recorded = await recordTable(record, parts)
  return {
    cards: lists.flatMap(({ list }) => list.models),
    estimates: modelEstimates([...tables, recorded]),
    tasks: [...tables, recorded].reduce((sum, { rows }) => sum + rows.length, 0),
  }
}

const cardOf = ({ backbone, price }: CallableModel) => ({
  id: backbone.id ?? backbone.name,
  name: backbone.name,
  ...(price === undefined ? {} : { price }),
})

/** Judged runs of agents, each by the model that it ran on, or that its card names. */
async function recordTable(record: RecordIndex, { openRecord, cards }: Parts): Promise<TaskTable> {
  if (record.size === 0) return taskTable([], null)
  const outcomes = (await (await openRecord()).list()).filter(
    ({ kind, origin }) => kind === 'agent' && origin !== 'use',
  )
  const unnamed = outcomes.filter(({ model }) => model === undefined).map(({ card }) => card)
  const found = await cards([...new Set(unnamed)]).catch(() => [])
  const backbones = new Map(
    found.flatMap((card) =>
      card.kind === 'agent' && card.backbone ? [[card.id, card.backbone] as const] : [],
    ),
  )
  const rows = outcomes.flatMap((outcome) => {
    const backbone = backbones.get(outcome.card)
    const model = outcome.model ?? backbone?.id ?? backbone?.name
    const success = succeeded(briefOutcome(outcome))
    if (model === undefined || success === undefined) return []
    return [{ task: outcome.task, scores: { [modelKey(model)]: success ? 1 : 0 } }]
  })
  if (record.model === null) return taskTable(rows, null)
  const numbers = new Map(Array.from({ length: record.tasks.size }, (_, at) => [record.tasks.text(at), at]))
  const places = rows.map(({ task }) => numbers.get(task) ?? 0)
  return taskTable(rows, {
    model: record.model,
    cosines: ({ text }, vector) =>
      record.tasks
        .cosines({ texts: [text], vectors: [vector] })(places)
        .slice(),
  })
}

/** The task with its vectors by the whole model and by its first part; by none where it cannot be embedded. */
async function asTask(text: string, { openModel }: Parts): Promise<ModelTask> {
  const model = await openModel().catch((error: unknown) => {
    if (error instanceof NotAgreedError) return null
    throw error
  })
  const vectors = new Map<string, Float32Array>()
  const made: readonly (EmbeddingModel | null | undefined)[] = [model, model?.plain]
  for (const one of made) {
    const [vector] = one ? await one.embed([text], 'query').catch(() => []) : []
    if (one && vector) vectors.set(one.id, vector)
  }
  return { text, vectors }
}
