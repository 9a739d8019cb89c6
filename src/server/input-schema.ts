import type { JsonObject } from '../domain/json.ts'
import type { Parameter, ToolCard } from '../domain/tool-card.ts'

/** The schema of a tool's arguments: as published, or made of its parameters, or undefined when it states neither. */
export function inputSchemaOf(card: ToolCard): JsonObject | undefined {
  if (card.inputSchema !== undefined) return card.inputSchema
  return card.parameters.length === 0 ? undefined : schemaOfParameters(card.parameters)
}

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])

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

const schemaOf = ({ type, description }: Parameter): JsonObject => ({
  ...(type !== undefined && jsonTypes.has(type) ? { type } : {}),
  ...(description === '' ? {} : { description }),
})

/**
 * How a tool is called, in one line: `owner: string, repo: string, state?: string`. The required inputs come first;
 * inner ones are left out.
 */
export function signatureOf(card: ToolCard): string {
  const names = new Set(card.parameters.map(({ name }) => name))
  const outer = card.parameters.filter(({ name }) => !hasOuter(name, names))
  const typed = ({ name, type, required }: Parameter) =>
    `${name}${required ? '' : '?'}${type === undefined ? '' : `: ${type}`}`
  return [...outer.filter((one) => one.required), ...outer.filter((one) => !one.required)]
    .map(typed)
    .join(', ')
}
