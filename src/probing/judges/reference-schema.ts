import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Reference } from '../ports.ts'

const word = z.string().min(1)
const tolerance = z.number().min(0).exactOptional()
const jsonValue: z.ZodType<JsonValue> = z.json()
const jsonObject = z.custom<JsonObject>(isJsonObject, 'a JSON object')

const kinds = [
  z.strictObject({ kind: z.literal('exact'), text: word }),
  z.strictObject({ kind: z.literal('states'), text: word }),
  z.strictObject({ kind: z.literal('number'), value: z.number(), tolerance }),
  z.strictObject({ kind: z.literal('pattern'), regex: word, flags: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal('json-schema'), schema: jsonObject }),
  z.strictObject({ kind: z.literal('json-path'), path: word, value: jsonValue, tolerance }),
  z.strictObject({ kind: z.literal('set'), items: z.array(word).min(1) }),
] as const

/** A reference as it is written in files. */
export const referenceSchema: z.ZodType<Reference> = z.discriminatedUnion('kind', kinds, {
  error: `an object such as {"kind": "states", "text": "42.5"}, of a kind ${kinds.map(({ shape }) => shape.kind.value).join(', ')}`,
})
