import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../../../src/domain/json.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { repositoryFolder, type Sample } from '../corpus.ts'

/** A line of the file: a tool, or the description of an agent. */
type Line = {
  readonly label: 'attack' | 'honest'
  readonly class: string
  readonly name: string
  readonly description: string
  /** Properties of its input schema. */
  readonly parameters?: { readonly [name: string]: JsonObject }
}

/**
 * Cards written from descriptions of the classes alone, before their author had read a rule, a phrase or a text that is learned from. Never
 * learned from, and no feature and no limit is chosen by them.
 */
const lines = (): readonly Line[] =>
  readFileSync(repositoryFolder('test/attacks/descriptions/unseen/authored-c.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

const samplesOf = (label: Line['label']): readonly Sample[] =>
  lines()
    .filter((line) => line.label === label)
    .map((line, at) => ({ card: cardOf(line, at), class: line.class, promise: 'hard' }))

export const attacksC: readonly Sample[] = samplesOf('attack')
export const honestC: readonly Sample[] = samplesOf('honest')

function cardOf({ class: group, name, description, parameters = {} }: Line, at: number): Card {
  const base = {
    id: `c${at}/${name}`,
    source: `c${at}`,
    name,
    description,
    examples: [],
    tags: [],
    provenance: { reader: 'corpus', location: 'corpus' },
  }
  if (group === 'auditor-agents')
    return {
      ...base,
      kind: 'agent',
      agentKind: 'subagent',
      backbone: null,
      tools: [],
      policy: {},
      instructions: description,
    }
  return {
    ...base,
    kind: 'tool',
    parameters: Object.entries(parameters).map(([key, { description: text, type }]) => ({
      name: key,
      description: typeof text === 'string' ? text : '',
      type: typeof type === 'string' ? type : 'string',
      required: false,
    })),
    inputSchema: { type: 'object', properties: parameters },
  }
}
