import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { documentedParameters, isObjectSchema } from '../formats/documented-parameters.ts'
import { type CardOfRecord, firstRecord, readCatalog, RefusedRecord } from '../formats/json-lines.ts'
import type { Reader } from '../ports.ts'
import { detailsOf, eitherOf, field, textOf, textsOf } from '../formats/published-fields.ts'
import { structuredText } from '../formats/structured-text.ts'

/** Labels of ToolBench's documentation where it is published as one text. */
const toolBenchLabels = [
  'category_name',
  'tool_name',
  'api_name',
  'api_description',
  'required_params',
  'optional_params',
  'return_schema',
]

/**
 * Reads tool sets in the shape of ToolRet: records with `id` and `documentation` (or `doc`): an object, that object as a text (JSON, as
 * the released tables have it, JSON in JSON, or a Python literal), or plain text, in any of the shapes of the benchmarks it unites.
 * The documentation stays on the card as published, one that was written as text as the object it is.
 *
 * @see Shi et al., Retrieval Models Aren't Tool-Savvy, Findings of ACL 2025
 */
export const toolretJsonl: Reader = {
  name: 'toolret-jsonl',
  describes: 'Tool sets in the shape of ToolRet, id and documentation (JSON Lines or one JSON array)',
  grain: 'catalog',
  recognises: (document) => isTool(firstRecord(document)),
  read: (document) => readCatalog(document, cardOf),
}

/** A query of ToolRet has an id too, and labels that hold documentations. */
const isTool = (record: unknown): boolean =>
  isJsonObject(record) &&
  textOf(record.id) !== '' &&
  !('query' in record) &&
  !('labels' in record) &&
  ['string', 'object'].includes(typeof (record.documentation ?? record.doc ?? undefined))

const cardOf: CardOfRecord = (record) => {
  const id = textOf(record.id)
  const published = record.documentation ?? record.doc
  if (id === '' || published === undefined || published === null || published === '') {
    const absent = id === '' ? 'id' : 'documentation'
    return new RefusedRecord({
      field: absent,
      message: `the record has no ${absent}`,
      remedy: `Give every record its "${absent}".`,
    })
  }
  const documentation = documentationOf(published)
  const name =
    textOf(eitherOf(documentation, 'name', 'api_name', 'function_name', 'tool_name', 'title', 'id')) || id
  const title = textOf(documentation.title)
  const inputSchema = firstSchema(documentation, ['inputSchema', 'input_schema', 'parameters', 'arguments'])
  const outputSchema = firstSchema(documentation, ['outputSchema', 'output_schema', 'results', 'response'])
  return {
    kind: 'tool',
    key: id,
    name,
    ...field('title', title === name ? '' : title),
    description: descriptionOf(documentation),
    examples: textsOf(documentation.examples),
    tags: tagsOf(documentation),
    ...field('server', textOf(record.server) || serverOf(documentation, name)),
    parameters: documentedParameters(documentation),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    documentation: typeof published === 'string' ? (objectIn(published) ?? published) : published,
    ...detailsOf({ category: record.category, kind: record.kind, framework: documentation.framework }),
  }
}

/** The documentation as an object: itself, the object it is written as, or a plain text as its description. */
function documentationOf(published: JsonValue): JsonObject {
  if (isJsonObject(published)) {
    const { function: inner } = published
    const stated = typeof inner === 'string' ? objectIn(inner) : inner
    return withInputsAsObjects(isJsonObject(stated) ? stated : published)
  }
  if (typeof published !== 'string') return { description: JSON.stringify(published) }
  const object = objectIn(published)
  if (object !== undefined) return documentationOf(object)
  const labelled = labelledText(published, toolBenchLabels)
  if (labelled === undefined) return { description: published }
  const { required_params, optional_params, ...texts } = labelled
  return {
    ...texts,
    ...(required_params === undefined ? {} : { required_params: structuredText(required_params) ?? null }),
    ...(optional_params === undefined ? {} : { optional_params: structuredText(optional_params) ?? null }),
  }
}

/** The object that a text is written of, or the only one of a list. */
function objectIn(text: string): JsonObject | undefined {
  const value = structuredText(text)
  const object = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isJsonObject(object) ? object : undefined
}

const inputField = /param|argument|schema|properties|required/i

/** Tables that know no nested values hold them as texts, one field at a time. */
const withInputsAsObjects = (documentation: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(documentation).map(([key, value]) => [
      key,
      typeof value === 'string' && inputField.test(key) ? (structuredText(value) ?? value) : value,
    ]),
  )

function firstSchema(documentation: JsonObject, names: readonly string[]): JsonObject | undefined {
  for (const name of names) {
    const value = documentation[name]
    if (isObjectSchema(value)) return value
  }
  return undefined
}

const descriptionOf = (documentation: JsonObject): string =>
  textOf(eitherOf(documentation, 'description', 'api_description', 'desc', 'summary', 'functionality'))

/** Subjects the documentation is filed under. A path of subjects (`Chemistry/Forensics`) is several. */
const tagsOf = (documentation: JsonObject): readonly string[] =>
  textsOf(
    documentation.tags,
    documentation.domain,
    documentation.category_name,
    textOf(documentation.field).split('/'),
    textOf(documentation.functionality).split(/,\s*/),
    documentation.framework,
  )

/** The API, app or tool family that the documentation names beside the tool itself. */
const serverOf = (documentation: JsonObject, name: string): string => {
  const family = textOf(eitherOf(documentation, 'tool_name', 'api', 'app'))
  return family === name ? '' : family
}

/**
 * Reads a documentation that was flattened to `label:value, label: value, …`, as ToolBench's descendants publish it.
 *
 * @param labels - in the order in which they stand; a value runs to the next label that is present
 * @returns undefined when the text does not begin with the first label
 */
export function labelledText(
  text: string,
  labels: readonly string[],
): { readonly [label: string]: string } | undefined {
  const [first] = labels
  if (first === undefined || !text.startsWith(`${first}:`)) return undefined
  const found: { readonly label: string; readonly start: number; readonly stop: number }[] = []
  let from = 0
  for (const label of labels) {
    const mark = found.length === 0 ? `${label}:` : `, ${label}:`
    const start = text.indexOf(mark, from)
    if (start === -1) continue
    from = start + mark.length
    found.push({ label, start, stop: from })
  }
  return Object.fromEntries(
    found.map(({ label, stop }, index) => [label, text.slice(stop, found[index + 1]?.start).trim()]),
  )
}
