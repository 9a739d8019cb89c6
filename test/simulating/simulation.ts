import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaFaults } from '../../src/adapters/mcp-client/argument-faults.ts'
import type { ToolCard } from '../../src/domain/card.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { answersIn } from '../../src/simulating/answers-file.ts'
import type { Imitation, ToolAnswer, ToolImitator } from '../../src/simulating/ports.ts'
import { type SimulationParts, simulatedServerOf } from '../../src/simulating/simulated-server.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const note: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, title: { type: 'string' } },
  required: ['id', 'title'],
  additionalProperties: false,
}
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** A keeper of notes: what is created is listed, got and deleted. */
export const notes: readonly ToolCard[] = [
  toolCard('notes/create_note', {
    inputSchema: object({ title: { type: 'string' } }),
    outputSchema: object({ note }),
    annotations: { readOnly: false, destructive: false },
  }),
  toolCard('notes/delete_note', {
    inputSchema: object({ id: { type: 'string' } }),
    outputSchema: object({ deleted: { type: 'boolean' } }),
    annotations: { destructive: true },
  }),
  toolCard('notes/get_note', {
    inputSchema: object({ id: { type: 'string' } }),
    outputSchema: note,
    annotations: { readOnly: true },
  }),
  toolCard('notes/list_notes', {
    inputSchema: object({}),
    outputSchema: object({ notes: { type: 'array', items: note }, count: { type: 'integer' } }),
    annotations: { readOnly: true },
  }),
] as readonly ToolCard[]

/** A file of answers in a folder of its own. */
export function answersFile(): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'audition-simulated-'))
  return {
    file: join(folder, 'answers.jsonl'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The keeper of notes, simulated, over the answers of a file. */
export const simulationOver = async (file: string, parts: Partial<SimulationParts> = {}) =>
  simulatedServerOf({
    source: 'notes',
    tools: notes,
    store: await answersIn(file),
    imitator: null,
    faultsOf: schemaFaults,
    ...parts,
  })

/** A model that answers by a function, and counts how often it was asked. */
export function scriptedImitator(
  answer: (asked: Imitation, time: number) => ToolAnswer | null,
): ToolImitator & { readonly asked: Imitation[] } {
  const asked: Imitation[] = []
  return {
    model: 'scripted:notes',
    asked,
    async imitate(imitation) {
      asked.push(imitation)
      return answer(imitation, asked.length)
    },
  }
}

export const structuredAnswer = (structured: JsonObject): ToolAnswer => ({
  content: [{ type: 'text', text: JSON.stringify(structured) }],
  structured,
  failed: false,
})

/** Plays the keeper of notes by what it is told of the session. */
export function playNotes({ tool, arguments: given, history }: Imitation): ToolAnswer {
  const made = history
    .filter((call) => call.tool === 'create_note')
    .map(({ answer }) => (answer.structured as { note: JsonObject }).note)
  const gone = history.filter((call) => call.tool === 'delete_note').map((call) => call.arguments.id)
  const there = made.filter(({ id }) => !gone.includes(id))
  switch (tool.name) {
    case 'create_note':
      return structuredAnswer({ note: { id: `n${made.length + 1}`, title: given.title! } })
    case 'delete_note':
      return structuredAnswer({ deleted: there.some(({ id }) => id === given.id) })
    case 'list_notes':
      return structuredAnswer({ notes: there, count: there.length })
    default: {
      const found = there.find(({ id }) => id === given.id)
      return found === undefined
        ? { content: [{ type: 'text', text: 'no such note' }], failed: true }
        : structuredAnswer(found)
    }
  }
}
