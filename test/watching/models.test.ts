import { generateText } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { languageModel } from '../../src/adapters/ai-sdk/models/language-model.ts'
import { watched } from '../../src/watching/watch.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { type ModelReply, modelServer } from '../fakes/model-server.ts'
import { readPrometheus } from '../fakes/prometheus-text.ts'
import { sendingApp } from './watched.ts'

async function asked(provider: 'openai-compatible' | 'anthropic' | 'google', ...replies: ModelReply[]) {
  const server = await modelServer(replies)
  onTestFinished(() => server.close())
  const sending = await sendingApp(fakeAudition([]))
  const model = await languageModel({ spec: server.spec(provider, 'm-1'), key: 'a-key' })
  const operation = {
    name: 'run',
    kind: 'internal',
    metric: 'audition.call.duration',
    attributes: {},
  } as const
  const answer = watched(operation, () => generateText({ model, prompt: 'What is the code?', maxRetries: 0 }))
  await answer.catch(() => undefined)
  const told = readPrometheus(await sending.metrics())
  await sending.watching.close(5_000)
  return { server, told, receiver: sending.receiver }
}

test.each([
  { provider: 'openai-compatible', named: 'openai-compatible' },
  { provider: 'anthropic', named: 'anthropic' },
  { provider: 'google', named: 'gcp.gemini' },
] as const)(
  'a request to $provider is a span with its tokens, and nothing of what was said',
  async ({ provider, named }) => {
    const { server, told, receiver } = await asked(provider, {
      text: 'It is 1234.',
      tokens: { input: 30, output: 7 },
    })
    const [chat, run] = receiver.spans()
    const { hostname, port } = new URL(server.origin)
    expect(chat).toMatchObject({
      name: 'chat m-1',
      kind: 3,
      parentSpanId: run!.spanId,
      status: { code: 0 },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': named,
        'gen_ai.request.model': 'm-1',
        'gen_ai.usage.input_tokens': 30,
        'gen_ai.usage.output_tokens': 7,
        'server.address': hostname,
        'server.port': Number(port),
      },
    })
    const usage = told.get('gen_ai_client_token_usage')!.samples.filter(({ name }) => name.endsWith('_sum'))
    expect(usage.map(({ labels, value }) => [labels.gen_ai_token_type, value])).toEqual([
      ['input', 30],
      ['output', 7],
    ])
    expect(receiver.bodies.join('')).not.toMatch(/code\?|1234|a-key/)
  },
)

test('a request that fails is counted as such', async () => {
  const { told, receiver } = await asked('openai-compatible', {
    status: 429,
    body: '{"error":{"message":"slow down"}}',
  })
  const [count] = told.get('gen_ai_client_operation_duration_seconds')!.samples
  expect(count?.labels.error_type).toBe('AI_APICallError')
  expect(receiver.spans()[0]?.status).toEqual({ code: 2 })
  expect(receiver.bodies.join('')).not.toContain('slow down')
})
