import type { AgentCard, Card, Parameter, ToolCard } from '../../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../../src/domain/json.ts'
import type { Sample } from '../../corpus.ts'

type Texts = {
  readonly title?: string
  readonly examples?: readonly string[]
  readonly tags?: readonly string[]
}

type ToolTexts = Texts & {
  /** Descriptions by name; a name that ends in `?` is optional. */
  readonly parameters?: { readonly [name: string]: string }
  readonly inputSchema?: JsonObject
  readonly outputSchema?: JsonObject
  readonly documentation?: string
}

type AgentTexts = Texts & {
  readonly agentKind?: AgentCard['agentKind']
  readonly tools?: AgentCard['tools']
}

const base = (id: string) => {
  const slash = id.indexOf('/')
  return {
    id,
    source: id.slice(0, slash),
    name: id.slice(slash + 1),
    provenance: { reader: 'corpus', location: 'corpus' },
  }
}

/** A tool with the id `source/name`. */
export const tool = (id: string, description: string, texts: ToolTexts = {}): ToolCard => {
  const { parameters = {}, ...others } = texts
  return {
    kind: 'tool',
    ...base(id),
    description,
    examples: [],
    tags: [],
    ...others,
    parameters: Object.entries(parameters).map(
      ([name, text]): Parameter => ({
        name: name.replace(/\?$/, ''),
        description: text,
        type: 'string',
        required: !name.endsWith('?'),
      }),
    ),
  }
}

/** An agent with the id `source/name`, whose system prompt is given. */
export const agent = (
  id: string,
  description: string,
  instructions: string,
  texts: AgentTexts = {},
): AgentCard => ({
  kind: 'agent',
  ...base(id),
  agentKind: 'subagent',
  backbone: null,
  tools: [],
  policy: {},
  description,
  instructions,
  examples: [],
  tags: [],
  ...texts,
})

/** Samples of one class. */
export const group = (name: string, promise: Sample['promise'], cards: readonly Card[]): readonly Sample[] =>
  cards.map((card) => ({ card, class: name, promise }))

/** Joins the parts of an invented credential, so that no scanner of repositories takes the file for a leak. */
export const joined = (...parts: readonly string[]): string => parts.join('')

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

export const hex = (text: string): string => Buffer.from(text).toString('hex')

export const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })

export const percent = (text: string): string => [...text].map((c) => `%${hex(c)}`).join('')

export const entities = (text: string): string => [...text].map((c) => `&#${c.codePointAt(0)};`).join('')

export const reversed = (text: string): string => [...text].reverse().join('')

export const octets = (text: string): string =>
  [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join(' ')

/** ASCII as invisible tag characters, U+E0000 and up. */
export const tagged = (text: string): string =>
  [...text].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')

/** Bits as zero-width space (0) and zero-width non-joiner (1). */
export const zeroWidth = (text: string): string =>
  octets(text).replaceAll(' ', '').replaceAll('0', '\u{200b}').replaceAll('1', '\u{200c}')

/** Bytes as variation selectors, two planes of them. */
export const selectors = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('')
