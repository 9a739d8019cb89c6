import { beginningOf } from '../../domain/text/cut.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { ModelCard, ModelPrice } from '../../domain/model-card.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { firstJsonLine, linesOf, type RecordPlace, RefusedRecord, recordsAt } from '../formats/json-lines.ts'
import { field, textOf, textsOf } from '../formats/published-fields.ts'
import { catalogName, hasEnding } from '../path-names.ts'
import type { Reader, SourceDocument } from '../ports.ts'

/** One of them shows that a record is of a model: what is said of nothing else. */
const ofModels = ['price_in_per_m', 'tool_call', 'open_weights', 'modalities', 'cost', 'hugging_face']

const [longestId, longestDescription] = [200, 500]

/**
 * Reads lists of language models: one a line, or providers with their models as models.dev gives them (`api.json`).
 */
export const modelList: Reader = {
  name: 'model-list',
  describes: 'Lists of language models with prices: api.json of models.dev, or one model a line (JSON Lines)',
  grain: 'catalog',
  recognises(document) {
    if (hasEnding(document.path, 'json')) return providersOf(document) !== undefined
    if (!hasEnding(document.path, 'jsonl', 'ndjson')) return false
    const first = firstJsonLine(document)
    return first !== undefined && idOf(first) !== '' && ofModels.some((name) => Object.hasOwn(first, name))
  },
  read(document) {
    const providers = providersOf(document)
    const places = providers === undefined ? linesOf(document.text) : modelsOf(providers)
    const { records, problems } = recordsAt(document, places, cardOf)
    const models = [...new Map(records.map((card) => [card.id, card])).values()]
    const sourceName = field('sourceName', catalogName(document.path))
    return { cards: [], servers: [], problems, models: { models, outcomes: [] }, ...sourceName }
  },
}

const idOf = (record: JsonObject): string => textOf(record.id) || textOf(record.model)

/** The providers of a document; undefined when it is of another format. */
function providersOf(document: SourceDocument): JsonObject | undefined {
  if (!/^\s*\{\s*"[^"]+"\s*:\s*\{[\s\S]*"models"\s*:/.test(document.text.slice(0, 10_000))) return undefined
  const json = document.json()
  if (!isJsonObject(json)) return undefined
  const [first] = Object.values(json)
  return isJsonObject(first) && isJsonObject(first.models) && textOf(first.id) !== '' ? json : undefined
}

function* modelsOf(providers: JsonObject): Generator<RecordPlace> {
  for (const [provider, said] of Object.entries(providers)) {
    const models = isJsonObject(said) && isJsonObject(said.models) ? said.models : undefined
    if (models === undefined) yield { where: provider, record: undefined }
    for (const [name, record] of Object.entries(models ?? {})) {
      const where = `${provider}.models.${name}`
      const id = isJsonObject(record) ? textOf(record.id) || name : name
      const whole = id.startsWith(`${provider}/`) ? id : `${provider}/${id}`
      yield { where, record: isJsonObject(record) ? { ...record, id: whole } : undefined }
    }
  }
}

function cardOf(record: JsonObject): ModelCard | RefusedRecord {
  const id = idOf(record)
  if (!/^[^\s\p{C}]+$/u.test(id) || id.length > longestId)
    return new RefusedRecord({
      field: 'id',
      message: id === '' ? 'the record has no id' : 'it is no id of a model',
      remedy: 'Give every record an "id" as "provider/model", without white space.',
    })
  const price = priceOf(record)
  if (price instanceof RefusedRecord) return price
  const context = numberIn(record.context ?? within(record.limit, 'context'))
  if (context === 'wrong')
    return new RefusedRecord({
      field: record.context === undefined ? 'limit.context' : 'context',
      message: 'it is no number of tokens',
      remedy: 'Write a number above 0, or leave it out.',
    })
  const description = beginningOf(printableLine(textOf(record.description)), longestDescription)
  return {
    id,
    name: beginningOf(printableLine(textOf(record.name)), longestId) || id,
    ...field('description', description),
    ...(price === undefined ? {} : { price }),
    // Published lists write 0 where it does not apply.
    ...(context ? { context } : {}),
    ...listField('input', record.input ?? within(record.modalities, 'input')),
    ...listField('output', record.output ?? within(record.modalities, 'output')),
    ...flagField('tools', record.tool_call ?? record.tools),
    ...flagField('reasoning', record.reasoning),
    ...flagField('openWeights', record.open_weights),
    ...field('licence', printableLine(textOf(record.license) || textOf(record.licence)).slice(0, 80)),
  }
}

/** Undefined where it states none; both ways are needed to know what a call costs. */
function priceOf(record: JsonObject): ModelPrice | RefusedRecord | undefined {
  const prices: number[] = []
  for (const way of ['input', 'output'] as const) {
    const flat = way === 'input' ? 'price_in_per_m' : 'price_out_per_m'
    const given = Object.hasOwn(record, flat) ? record[flat] : within(record.cost, way)
    const price = numberIn(given)
    if (price === 'wrong')
      return new RefusedRecord({
        field: Object.hasOwn(record, flat) ? flat : `cost.${way}`,
        message: 'it is no price',
        remedy: 'Write US dollars per million tokens, a number of 0 or more, or leave it out.',
      })
    if (price !== undefined) prices.push(price)
  }
  const [input, output] = prices
  return input === undefined || output === undefined ? undefined : { input, output }
}

const within = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined)

const numberIn = (value: unknown): number | 'wrong' | undefined => {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 'wrong'
}

const listField = <Name extends string>(
  name: Name,
  value: unknown,
): { readonly [N in Name]?: readonly string[] } => {
  const texts: readonly string[] = textsOf(value).slice(0, 8)
  return texts.length === 0 ? {} : ({ [name]: texts } as { readonly [N in Name]: readonly string[] })
}

const flagField = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'boolean' ? { [name]: value } : {}) as { readonly [N in Name]?: boolean }
