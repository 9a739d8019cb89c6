import { cutWithin } from '../../domain/text/cut.ts'
import { namesInLine } from '../../domain/text/names-in-line.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type LocalReferences, localReferences } from '../formats/json-schema.ts'
import { operationCard, operationName } from '../formats/openapi-operation.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { field, refused, textOf } from '../formats/published-fields.ts'

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace', 'query']
/** References that are named one by one; the rest are counted. */
const mostNamed = 5

/**
 * Reads OpenAPI 3 descriptions: each operation becomes a tool. References are followed inside the document only.
 *
 * @see OpenAPI Specification 3.0.4 and 3.1.1
 */
export const openapi: Reader = {
  name: 'openapi',
  describes: 'OpenAPI 3.0 and 3.1 descriptions of HTTP APIs (JSON, YAML)',
  grain: 'catalog',
  recognises(document) {
    if (!/^[ \t{]*["']?(?:openapi|swagger)["']?\s*:|[{,]\s*"(?:openapi|swagger)"\s*:/m.test(document.text))
      return false
    return versionOf(parsed(document)) !== ''
  },
  read(document) {
    const api = parsed(document)
    const version = versionOf(api)
    if (!isJsonObject(api) || !/^3\b/.test(version)) return refused(wrongVersion(document, version))
    if (!isJsonObject(api.paths) || Object.keys(api.paths).length === 0)
      return refused(withoutPaths(document))
    const reading: Reading = {
      document,
      api,
      references: localReferences(api),
      cards: [],
      problems: [],
      keys: new Set(),
    }
    for (const [path, item] of Object.entries(api.paths)) {
      if (path.startsWith('/')) readPath(reading, path, item)
    }
    if (reading.cards.length > 0 && !reading.cards.some((card) => card.runtime !== undefined)) {
      reading.problems.push(withoutAddress(document))
    }
    const title = isJsonObject(api.info) ? textOf(api.info.title) : ''
    return {
      cards: reading.cards,
      servers: [],
      problems: [...reading.problems, ...unreadReferences(document, reading.references)],
      ...field('sourceName', title),
    }
  },
}

type Reading = {
  readonly document: SourceDocument
  readonly api: JsonObject
  readonly references: LocalReferences
  readonly cards: CardDraft[]
  readonly problems: Problem[]
  readonly keys: Set<string>
}

const parsed = (document: SourceDocument): unknown => document.json() ?? document.yaml()

/** The stated version, also where YAML reads `3.1` as a number; empty when this is no API description. */
function versionOf(api: unknown): string {
  if (!isJsonObject(api)) return ''
  const stated = api.openapi ?? api.swagger
  return typeof stated === 'string' || typeof stated === 'number' ? String(stated) : ''
}

function readPath(reading: Reading, path: string, item: unknown): void {
  const pathItem = reading.references.resolve(item)
  if (pathItem === undefined) {
    reading.problems.push(unusable(reading.document, `paths.${path}`, 'the path is not an object'))
    return
  }
  for (const method of methods) {
    if (pathItem[method] === undefined) continue
    const operation = reading.references.resolve(pathItem[method])
    if (operation === undefined) {
      reading.problems.push(
        unusable(reading.document, `paths.${path}.${method}`, 'the operation is not an object'),
      )
    } else {
      readOperation(reading, { path, method, pathItem, operation })
    }
  }
}

/** An operation of an API, and where it stands. */
type StatedOperation = {
  readonly path: string
  readonly method: string
  readonly pathItem: JsonObject
  readonly operation: JsonObject
}

function readOperation(
  { document, api, references, cards, problems, keys }: Reading,
  stated: StatedOperation,
): void {
  const { path, method, operation } = stated
  const name = operationName({ operation, method, path })
  const key = keys.has(name) ? `${method} ${path}` : name
  if (key !== name && textOf(operation.operationId) !== '')
    problems.push(usedTwice(document, `${path}.${method}`, name))
  keys.add(key)
  cards.push({
    ...operationCard({ ...stated, api, references, location: document.path }),
    key,
  })
}

function unreadReferences(document: SourceDocument, { missing }: LocalReferences): readonly Problem[] {
  const listed = [...missing]
  if (listed.length === 0) return []
  return [
    {
      severity: 'warning',
      file: document.label,
      field: '$ref',
      message: `${namesInLine(listed.map(shortened), mostNamed)} could not be followed; other files and addresses are never read`,
      remedy:
        'Join the description into one file, for example with `npx @redocly/cli bundle`, and index that.',
    },
  ]
}

const shortened = (reference: string): string => cutWithin(reference, 120)

const wrongVersion = (document: SourceDocument, version: string): Omit<Problem, 'severity'> => ({
  file: document.label,
  field: version.startsWith('2') || version.startsWith('1') ? 'swagger' : 'openapi',
  message: `this is version ${shortened(version)} of OpenAPI; versions 3.0 and later are read`,
  remedy: 'Convert it, for example with `npx swagger2openapi`, and index the result.',
})

const withoutPaths = (document: SourceDocument): Omit<Problem, 'severity'> => ({
  file: document.label,
  field: 'paths',
  message: 'the description has no operations',
  remedy: 'Index the file that holds "paths"; a file of shared components describes no tool.',
})

const withoutAddress = (document: SourceDocument): Problem => ({
  severity: 'warning',
  file: document.label,
  field: 'servers',
  message: 'no absolute server address is stated, so the operations can be found but not called',
  remedy: 'Give "servers" an address that starts with https://.',
})

const unusable = (document: SourceDocument, path: string, message: string): Problem => ({
  severity: 'error',
  file: document.label,
  field: path,
  message: `${message} and was left out`,
  remedy: 'Correct it as the OpenAPI specification says; the other operations were read.',
})

const usedTwice = (document: SourceDocument, place: string, name: string): Problem => ({
  severity: 'warning',
  file: document.label,
  field: `paths.${place}.operationId`,
  message: `"${name}" is the operationId of more than one operation`,
  remedy: 'Give each operation an operationId of its own.',
})
