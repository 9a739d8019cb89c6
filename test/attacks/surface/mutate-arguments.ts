import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { strangeText, strangeValue } from './hostile-values.ts'
import { oneOf, onceIn } from './pick.ts'

/** A JSON Schema, as far as the tools use it. */
export type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** What right arguments may name: ids, words and sources of the catalog under test. */
export type Known = { readonly ids: readonly string[]; readonly words: readonly string[] }

type Arguments = { readonly [name: string]: unknown }

/** Arguments of a tool: right ones, and then changed in none to a few places, each as its schema suggests. */
export function someArguments(random: SeededRandom, schema: Schema, known: Known): unknown {
  const right = rightArguments(random, schema, known)
  const changes = onceIn(random, 2) ? 0 : 1 + random.below(3)
  let changed: Arguments = right
  for (let change = 0; change < changes; change += 1) changed = mutated(random, changed, schema)
  return onceIn(random, 40) ? strangeValue(random) : changed
}

function rightArguments(random: SeededRandom, schema: Schema, known: Known): Arguments {
  const required = schema.required ?? []
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => required.includes(name) || name === 'max_seconds' || onceIn(random, 6))
      .map(([name, property]) => [name, rightValue(random, name, property, known)]),
  )
}

function rightValue(random: SeededRandom, name: string, schema: Schema, known: Known): unknown {
  if (schema.enum !== undefined) return oneOf(random, schema.enum)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return name === 'max_seconds' || name === 'limit' ? 1 : between(random, schema)
    case 'boolean':
      return onceIn(random, 2)
    case 'array':
      return Array.from({ length: 1 + random.below(Math.min(3, schema.maxItems ?? 3)) }, () =>
        rightValue(random, name, schema.items ?? {}, known),
      )
    case 'object':
      return rightArguments(random, schema, known)
    default:
      if (name === 'dataset')
        return onceIn(random, 6) ? oneOf(random, ['bundled', 'self']) : someWords(random, known)
      if (name === 'compare') return 'latest'
      if (name === 'sources') return oneOf(random, known.ids).split('/')[0]
      return /^(ids?|agents?|exclude)$/.test(name) ? oneOf(random, known.ids) : someWords(random, known)
  }
}

const between = (random: SeededRandom, { minimum = 1, maximum = 100 }: Schema): number =>
  minimum + random.below(Math.max(1, Math.min(maximum - minimum, 2 ** 20 - 1)))

export const someWords = (random: SeededRandom, { words }: Known): string =>
  Array.from({ length: 1 + random.below(12) }, () => oneOf(random, words)).join(' ')

/** One argument changed: dropped, added, replaced, of another type, or just beyond what its schema allows. */
function mutated(random: SeededRandom, given: Arguments, schema: Schema): Arguments {
  const names = [...new Set([...Object.keys(given), ...Object.keys(schema.properties ?? {})])]
  const name = oneOf(random, names.length === 0 ? ['query'] : names)
  const property = schema.properties?.[name] ?? {}
  const { [name]: before, ...rest } = given
  switch (random.below(7)) {
    case 0:
      return rest
    case 1:
      return { ...given, [strangeText(random)]: strangeValue(random) }
    case 2:
      return { ...given, [name]: (property.maximum ?? 100) + 1 }
    case 3:
      return { ...given, [name]: Array.from({ length: 1 + random.below(200) }, () => before ?? 'x') }
    case 4:
      return { ...given, [name]: strangeText(random) }
    case 5:
      return { ...given, ...(JSON.parse('{"__proto__":{"k":100}}') as object), [name]: before ?? 1 }
    default:
      return { ...given, [name]: strangeValue(random) }
  }
}
