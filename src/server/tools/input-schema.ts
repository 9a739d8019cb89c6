import type { JsonObject } from '../../domain/json.ts'
import type { Parameter, ToolCard } from '../../domain/tool-card.ts'

/** The schema of a tool's arguments: as published, or made of its parameters, or undefined when it states neither. */
export function inputSchemaOf(card: ToolCard): JsonObject | undefined {
  if (card.inputSchema !== undefined) return card.inputSchema
  return card.parameters.length === 0 ? undefined : schemaOfParameters(card.parameters)
}

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])
/** Types as documentation in other languages has them. */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['list', 'array'],
])

/** Parameters of documentation that has no schema. Inner ones (`address.city`) are part of their outer one. */
function schemaOfParameters(parameters: readonly Parameter[]): JsonObject {
  const names = new Set(parameters.map(({ name }) => name))
  const outer = parameters.filter(({ name }) => !hasOuter(name, names))
  const required = outer.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(outer.map((parameter) => [parameter.name, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

const hasOuter = (name: string, names: ReadonlySet<string>): boolean => {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    if (names.has(name.slice(0, dot))) return true
  }
  return false
}

function schemaOf({ type: stated = '', description }: Parameter): JsonObject {
  const type = otherTypes.get(stated.toLowerCase()) ?? stated.toLowerCase()
  return {
    ...(jsonTypes.has(type) ? { type } : {}),
    ...(description === '' ? {} : { description }),
  }
}
