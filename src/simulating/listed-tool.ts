import type { ToolCard } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'

/** By this simulated servers and their results are known: a capability of theirs, and a member of `_meta`. */
export const simulatedMark = 'audition/simulated'

/** A tool as its own server lists it. */
export function listedTool(card: ToolCard): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations = {} } = card
  const hints = Object.entries(annotations).map(([hint, value]) => [`${hint}Hint`, value])
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    // The protocol knows no other results.
    ...(outputSchema?.type === 'object' ? { outputSchema } : {}),
    ...(hints.length === 0 ? {} : { annotations: Object.fromEntries(hints) as JsonObject }),
  }
}
