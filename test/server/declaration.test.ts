import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parametersOf } from '../../src/catalog/formats/parameters.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import type { ToolCard } from '../../src/domain/card.ts'
import { declarationOf } from '../../src/server/forms/declaration.ts'
import { tools } from '../../src/server/server.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { toolCards } from './arbitrary-cards.ts'

const withSchema = (inputSchema: JsonObject, rest: Partial<ToolCard> = {}): ToolCard =>
  toolCard('shop/order', { inputSchema, parameters: parametersOf(inputSchema), description: '', ...rest })

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const text = { type: 'string' }
const declared = (card: ToolCard) => declarationOf(card, card.name, 'documented')

test.each([
  { why: 'nothing is taken', schema: object({}), is: 'input?: Record<string, unknown>' },
  {
    why: 'types',
    schema: object({ a: text, b: { type: 'integer' } }, ['a']),
    is: 'input: { a: string; b?: number }',
  },
  {
    why: 'values and lists',
    schema: object({ a: { type: 'array', items: { enum: ['x', "it's", 3, null] } } }),
    is: `input?: { a?: Array<"x" | "it's" | 3 | null> }`,
  },
  {
    why: 'definitions, those that hold themselves too',
    schema: {
      ...object({ a: { $ref: '#/$defs/n' } }),
      $defs: { n: object({ next: { $ref: '#/$defs/n' } }) },
    },
    is: 'input?: { a?: { next?: { next?: unknown } } }',
  },
  {
    why: 'choices, and names that are no words',
    schema: object({
      'a-b': { anyOf: [text, { type: 'null' }] },
      m: { additionalProperties: text, type: 'object' },
    }),
    is: 'input?: { "a-b"?: string | null; m?: Record<string, string> }',
  },
  {
    why: "a publisher's words end no comment",
    schema: object({ a: { ...text, description: 'one */ two' } }),
    is: 'input?: { /** one * / two */ a?: string }',
  },
])('$why', ({ schema, is }) => {
  expect(declared(withSchema(schema))).toBe(`declare function order(${is}): Promise<unknown>`)
})

test('poorer forms say that there is more, and the result is told where it is known', () => {
  const card = withSchema(object({ a: text, b: text }, ['a']), {
    outputSchema: object({ sum: { type: 'number' } }, ['sum']),
  })
  expect(declarationOf(card, 'mcp__my-shop__order', 'required')).toBe(
    'declare function mcp__my_shop__order(input: { a: string; [more: string]: unknown }): Promise<unknown>',
  )
  expect(declarationOf(card, 'delete', 'all')).toBe(
    'declare function _delete(input: { a: string; b?: string }): Promise<{ sum: number }>',
  )
})

test('every declaration compiles, whatever a card holds', () => {
  const cards = [...fc.sample(toolCards, 60), ...someCards.filter((card) => card.kind === 'tool')]
  const lines = cards.flatMap((card) =>
    (['required', 'all', 'documented'] as const).map((level) => declarationOf(card, card.name, level)),
  )
  // Two tools may have one name, as two servers may.
  const program = lines.map(
    (line, at) => `namespace N${at} { ${line.replace('declare function', 'export declare function')} }`,
  )
  const folder = folderWith({ 'all.ts': program.join('\n') })
  const compiler = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--types', '']
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, join(folder, 'all.ts')], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

test('search_tools gives declarations within its usual budget, under the names to call', async () => {
  const signal = new AbortController().signal
  const searchTools = tools.find(({ name }) => name === 'search_tools')!
  const app = fakeAudition(someCards)
  const input = { query: 'list the issues of a repository', detail: 'signatures' }
  const { structuredContent } = await searchTools.call(app, input, { signal })
  const { candidates } = structuredContent as { candidates: readonly { readonly declaration: string }[] }
  expect(candidates.length).toBeGreaterThan(0)
  for (const { declaration } of candidates)
    expect(declaration).toMatch(/declare function \w+\(input\??: .*\): Promise<unknown>$/)
  expect(candidates[0]!.declaration).toContain('owner: string')
})
