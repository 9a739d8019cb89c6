import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'
import type { ToolLine } from '../corpus.ts'

/** Tools of one made set, which is one source. */
const toolsPerSet = 2000

type Documentation = {
  readonly name?: string | null
  readonly description?: string | null
  readonly parameters?: { readonly properties?: object }
  readonly inputSchema?: { readonly properties?: object }
}

/**
 * Writes a corpus of any size: real tools first, then as many as are wanted made of them. A made tool joins two real ones: the first
 * word of one's name and the other words of the other's, every second sentence of one's description and the others of the other's, and
 * one half of the parameters of each. So words, lengths and how often a word is met are those of real tools, and few are copies. The
 * same tools and size give the same corpus.
 */
export function writeRecombined(folder: string, real: readonly ToolLine[], size: number): void {
  const random = seededRandom(25)
  const parts = real.map(({ line }) => (JSON.parse(line) as { documentation: Documentation }).documentation)
  const pick = (): Documentation => parts[Math.floor((random.uint32() / 2 ** 32) * parts.length)]!
  for (let from = 0; from < size; from += toolsPerSet) {
    const count = Math.min(toolsPerSet, size - from)
    const lines = Array.from({ length: count }, (_, place) => {
      const id = nameAt(from + place)
      const own = parts[from + place] ?? joined(pick(), pick(), random)
      return JSON.stringify({ id, documentation: own })
    })
    const path = join(folder, setOf(from))
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'tools.jsonl'), `${lines.join('\n')}\n`)
  }
}

const nameAt = (place: number): string => `tool-${place}`

/** The id of a card that is made of the tool at this place: of the real ones that one. */
export const idAt = (place: number): string => `${setOf(place - (place % toolsPerSet))}/${nameAt(place)}`

const setOf = (from: number): string => `made-${String(from / toolsPerSet).padStart(4, '0')}`

function joined(one: Documentation, other: Documentation, random: SeededRandom): Documentation {
  const [first = 'tool'] = wordsOf(one.name)
  const rest = wordsOf(other.name).slice(1)
  const properties = [...halfOf(one, random), ...halfOf(other, random)]
  return {
    name: [first, ...rest].join('_'),
    description: woven(sentencesOf(one.description), sentencesOf(other.description)),
    parameters: { properties: Object.fromEntries(properties) },
  }
}

const wordsOf = (name: string | null | undefined): readonly string[] =>
  (name ?? '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const sentencesOf = (text: string | null | undefined): readonly string[] => (text ?? '').split(/(?<=[.!?])\s/)

/** Every second one of each, in turn. */
const woven = (one: readonly string[], other: readonly string[]): string =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, place) =>
    place % 2 === 0 ? one[place] : other[place],
  )
    .filter((sentence) => sentence !== undefined)
    .concat(other.length < 2 ? other.slice(0, 1) : [])
    .join(' ')

const halfOf = (
  { parameters, inputSchema }: Documentation,
  random: SeededRandom,
): readonly (readonly [string, unknown])[] =>
  Object.entries(parameters?.properties ?? inputSchema?.properties ?? {}).filter(() => random.below(2) === 0)

/** Changes the descriptions of the first tools of the first sets: so many of all, two hundred of a set where there are sets enough. */
export function changeSome(folder: string, count: number): void {
  const perSet = Math.max(200, Math.ceil(count / readdirSync(folder).length))
  for (let from = 0; from * perSet < count; from += 1) {
    const path = join(folder, setOf(from * toolsPerSet), 'tools.jsonl')
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    const wanted = Math.min(perSet, count - from * perSet)
    const changed = lines.map((line, place) => (place < wanted ? anew(line) : line))
    writeFileSync(path, `${changed.join('\n')}\n`)
  }
}

function anew(line: string): string {
  const { id, documentation } = JSON.parse(line) as { id: string; documentation: Documentation }
  const description = `${documentation.description ?? ''} It was described anew.`
  return JSON.stringify({ id, documentation: { ...documentation, description } })
}
