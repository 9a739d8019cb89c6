import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { agentShortlister } from '../../../src/adapters/ai-sdk/judge/agent-shortlister.ts'
import { answerComparer } from '../../../src/adapters/ai-sdk/judge/answer-comparer.ts'
import { cardEnricher } from '../../../src/adapters/ai-sdk/judge/card-enricher.ts'
import { llmJudge } from '../../../src/adapters/ai-sdk/judge/llm-judge.ts'
import { probeWriter } from '../../../src/adapters/ai-sdk/judge/probe-writer.ts'
import { queryWriter } from '../../../src/adapters/ai-sdk/judge/query-writer.ts'
import { toolImitator } from '../../../src/adapters/ai-sdk/judge/tool-imitator.ts'
import type { LanguageModelSettings } from '../../../src/adapters/ai-sdk/models/language-model.ts'
import type { Card, ToolCard } from '../../../src/domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/domain/json.ts'
import { bundled } from '../../../src/evaluation/datasets/bundled.ts'
import { type ModelRequest, modelServer } from '../../fakes/model-server.ts'
import { answered } from '../../probing/judges/executions.ts'

let cards: readonly Card[]
beforeAll(async () => {
  const { parts } = await bundled.read(join(import.meta.dirname, '../../../evals/bundled'), [])
  cards = parts.flatMap((part) => part.cards)
})

/** Words of JSON Schema that services which hold answers to a schema take. */
const taken = new Set([
  '$schema',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'description',
  'title',
])

/**
 * What such a service refuses of a schema.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs and https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
function refusedIn(schema: JsonValue, at = '#'): readonly string[] {
  if (!isJsonObject(schema)) return [`${at}: no schema`]
  const { type, properties = {}, required = [], items, anyOf } = schema
  const own = [
    ...Object.keys(schema).flatMap((word) => (taken.has(word) ? [] : [`${at}: ${word}`])),
    ...(type === undefined && anyOf === undefined && schema.enum === undefined ? [`${at}: open`] : []),
    ...(type === 'object' && schema.additionalProperties !== false ? [`${at}: more properties`] : []),
    ...(type === 'object' &&
    JSON.stringify(required) !== JSON.stringify(Object.keys(properties as JsonObject))
      ? [`${at}: not all required`]
      : []),
    ...(type === 'array' && items === undefined ? [`${at}: any items`] : []),
  ]
  const inner = [
    ...Object.entries(properties as JsonObject),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...((anyOf ?? []) as readonly JsonValue[]).map((one, place) => [`anyOf ${place}`, one] as const),
  ]
  return [...own, ...inner.flatMap(([name, one]) => refusedIn(one, `${at}/${name}`))]
}

/** The schema that a request holds its answer to, as each provider's package writes it; null where it sends none. */
function schemaOf({ path, body }: ModelRequest): JsonValue {
  const dig = (value: JsonValue | undefined, ...way: readonly string[]): JsonValue =>
    way.reduce<JsonValue>(
      (inner, name) => (isJsonObject(inner) ? (inner[name] ?? null) : null),
      value ?? null,
    )
  if (path.includes('/chat/completions')) {
    expect(dig(body, 'response_format', 'type')).toBe('json_schema')
    expect(dig(body, 'response_format', 'json_schema', 'strict')).toBe(true)
    return dig(body, 'response_format', 'json_schema', 'schema')
  }
  const [tool = null] = (body.tools ?? []) as readonly JsonValue[]
  return [
    dig(body, 'output_config', 'format', 'schema'),
    dig(body, 'output_format', 'schema'),
    dig(tool, 'input_schema'),
  ].find((one) => one !== null)!
}

const providers = ['openai', 'openai-compatible', 'ollama', 'anthropic'] as const

/** What a model was asked through the provider's installed package. */
async function requestsOf(
  provider: (typeof providers)[number],
  ask: (settings: LanguageModelSettings) => Promise<unknown>,
): Promise<readonly ModelRequest[]> {
  const server = await modelServer([{ text: '{}' }])
  onTestFinished(() => server.close())
  await ask({ spec: server.spec(provider, 'claude-sonnet-4-5'), key: 'k' }).catch(() => null)
  return server.requests
}

test('an open schema is found out', () => {
  const open = { type: 'object', properties: { a: {}, b: { type: 'string', maxLength: 3 } }, required: ['a'] }
  expect(refusedIn(open)).toEqual([
    '#: more properties',
    '#: not all required',
    '#/a: open',
    '#/b: maxLength',
  ])
})

describe.each(providers)('through %s', (provider) => {
  test('answers of every bundled tool are asked for in a shape that strict services take', async () => {
    const tools = cards.filter((card): card is ToolCard => card.kind === 'tool')
    expect(tools.length).toBeGreaterThan(50)
    const requests = await requestsOf(provider, async (settings) => {
      const imitator = toolImitator(settings)
      for (const tool of tools)
        await imitator.imitate({ server: tool.source, tool, arguments: {}, history: [], examples: [] })
    })
    expect(requests.length).toBeGreaterThanOrEqual(tools.length)
    for (const request of requests) expect(refusedIn(schemaOf(request))).toEqual([])
  })

  const signal = new AbortController().signal
  test.each<[string, (settings: LanguageModelSettings) => Promise<unknown>]>([
    ['a judge', (settings) => llmJudge(settings).judge({ text: 'Say yes.' }, answered('Yes'))],
    ['who compares answers', (settings) => answerComparer(settings).compare({ text: 'a' }, ['x', 'y'])],
    [
      'who writes probes',
      (settings) => probeWriter(settings).write({ goal: 'a', candidates: cards.slice(0, 2), count: 2 }),
    ],
    ['who writes queries', (settings) => queryWriter(settings).write(cards[0]!, 2)],
    [
      'who enriches cards',
      (settings) => cardEnricher(settings, { send: fetch, costOf: () => undefined }).write(cards[0]!, signal),
    ],
    [
      'who puts agents together',
      (settings) =>
        agentShortlister(settings).combine({
          task: 'a',
          facets: ['a'],
          count: 1,
          backbones: [],
          tools: [{ id: 'a', name: 'a', description: 'a' }] as never,
        }),
    ],
  ])('%s is asked so too', async (_who, ask) => {
    const requests = await requestsOf(provider, ask)
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) expect(refusedIn(schemaOf(request))).toEqual([])
  })
})
