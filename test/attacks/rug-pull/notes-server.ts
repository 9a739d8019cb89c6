import type { JsonObject } from '../../../src/domain/json.ts'

/** What a server says of itself and its tools, as the protocol has it. */
export type ServerSays = {
  readonly name: string
  readonly version: string
  readonly instructions?: string
  readonly tools: readonly Tool[]
}

/** A tool as `tools/list` gives it. */
export type Tool = JsonObject & { readonly name: string; readonly description: string }

const text = (description: string): JsonObject => ({ type: 'string', description })

const tool = (
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
  more: JsonObject = {},
): Tool => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required, additionalProperties: false },
  ...more,
})

const readOnly = { annotations: { readOnlyHint: true, destructiveHint: false } }

/** An honest server of notes, as it was when its cards were taken. */
export const notesServer: ServerSays = {
  name: 'notes',
  version: '1.4.0',
  instructions: 'Keeps notes in folders. List them before you read one.',
  tools: [
    tool(
      'list_notes',
      'List the notes of a folder, newest first.',
      {
        folder: text('Folder to list'),
        order: { type: 'string', enum: ['newest', 'oldest'], default: 'newest', description: 'Order' },
      },
      ['folder'],
      readOnly,
    ),
    tool(
      'read_note',
      'Read one note as Markdown.\nGive its id as list_notes returned it.',
      { id: { ...text('Id of the note'), pattern: '^[0-9a-f]{8}$' } },
      ['id'],
      {
        ...readOnly,
        title: 'Read a note',
        outputSchema: { type: 'object', properties: { markdown: text('The text') } },
      },
    ),
    tool(
      'write_note',
      'Write a note into a folder and return its id.',
      { folder: text('Folder to write into'), title: text('Heading of the note'), body: text('Markdown') },
      ['folder', 'title', 'body'],
      { annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false } },
    ),
    tool(
      'delete_note',
      'Delete a note for good. It cannot be restored.',
      { id: text('Id of the note'), sure: { type: 'boolean', description: 'Must be true' } },
      ['id', 'sure'],
      { annotations: { readOnlyHint: false, destructiveHint: true } },
    ),
    tool(
      'search_notes',
      'Find notes whose text has all the given words.',
      {
        words: { type: 'array', items: { type: 'string' }, description: 'Words to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      ['words'],
      readOnly,
    ),
    tool('count_words', 'Count the words of a text in any language.', { text: text('The text') }, ['text']),
    tool('list_folders', 'Name every folder that holds notes.', {}, [], readOnly),
  ],
}

const syllables = 'ba co di fu ga he ji ko lu ma ne pi ro su ta ve wi xo yu za'.split(' ')

/** A word of three syllables that no other number below 8,000 gives. */
const word = (number: number): string =>
  [number % 20, Math.floor(number / 20) % 20, Math.floor(number / 400) % 20]
    .map((at) => syllables[at]!)
    .join('')

/** A server with many tools, no two alike: each speaks of things that no other one knows. */
export const manyTools = (count: number): ServerSays => ({
  name: 'warehouse',
  version: '2.0.0',
  tools: Array.from({ length: count }, (_, at) => {
    const things = Array.from({ length: 8 }, (_, turn) => word(at * 8 + turn))
    return tool(
      things.slice(0, 2).join('_'),
      `${things.slice(2).join(' ')}.`,
      { [things[0]!]: text(`${things[3]} ${things[5]}`) },
      [things[0]!],
    )
  }),
})
