import type { JsonObject } from '../../src/domain/json.ts'

/** Small schemas whose check has no end in the age of the universe, or goes round in a circle. */
export const hostileSchemas: readonly { readonly name: string; readonly schema: JsonObject }[] = [
  ...(['allOf', 'anyOf', 'oneOf'] as const).map((word) => ({ name: word, schema: bomb(word) })),
  {
    name: 'circle',
    schema: { $ref: '#/$defs/self', $defs: { self: { allOf: [{ $ref: '#/$defs/self' }] } } },
  },
]

function bomb(word: 'allOf' | 'anyOf' | 'oneOf'): JsonObject {
  const depth = 28
  const levels = Array.from({ length: depth }, (_, at): [string, JsonObject] => [
    `d${at}`,
    { [word]: Array.from({ length: 4 }, () => ({ $ref: `#/$defs/d${at + 1}` })) },
  ])
  const last = [`d${depth}`, { type: 'string' }]
  return {
    type: 'object',
    properties: { x: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries([...levels, last]) as JsonObject,
  }
}
