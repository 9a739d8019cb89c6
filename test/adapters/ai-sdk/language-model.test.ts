import { generateText } from 'ai'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { languageModel, modelSpec } from '../../../src/adapters/ai-sdk/models/language-model.ts'
import { LanguageModelError } from '../../../src/evaluation/evaluation-settings.ts'
import { type ModelReply, type ModelServer, modelServer } from '../../fakes/model-server.ts'

const servers: ModelServer[] = []
const serve = async (...script: ModelReply[]) => {
  const server = await modelServer(script)
  servers.push(server)
  return server
}
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('a configuration line', () => {
  test.each([
    {
      line: 'openai-compatible:http://127.0.0.1:8080/v1#qwen3:8b',
      read: {
        provider: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:8080/v1',
        statesBaseUrl: true,
        model: 'qwen3:8b',
      },
    },
    {
      line: 'anthropic:claude-sonnet-5',
      read: { provider: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', model: 'claude-sonnet-5' },
    },
    { line: 'openai:gpt-5.4-mini', read: { provider: 'openai', baseUrl: 'https://api.openai.com/v1' } },
    {
      line: 'google:gemini-3.5-flash',
      read: { provider: 'google', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
    },
    {
      line: 'ollama:qwen3:8b',
      read: {
        provider: 'ollama',
        baseUrl: 'http://127.0.0.1:11434/v1',
        statesBaseUrl: false,
        model: 'qwen3:8b',
      },
    },
    {
      line: 'anthropic:https://proxy.test/v1/#claude-x',
      read: { baseUrl: 'https://proxy.test/v1', statesBaseUrl: true, model: 'claude-x' },
    },
    { line: 'ollama:http://box:11434/v1#org/model', read: { model: 'org/model' } },
  ])('$line is read', ({ line, read }) => {
    expect(modelSpec(line)).toMatchObject(read)
  })

  test.each([
    { why: 'it is empty', line: '' },
    { why: 'it names no provider', line: 'gpt-5' },
    { why: 'the provider is unknown', line: 'cohere:command' },
    { why: 'a name of every object is no provider', line: 'constructor:x' },
    { why: 'there is no address', line: 'openai-compatible:qwen3' },
    { why: 'there is no model', line: 'anthropic:' },
    { why: 'there is no model after the address', line: 'google:https://x.test/v1' },
    { why: 'the address is of no web server', line: 'ollama:ftp://x#m' },
    { why: 'the model has a space', line: 'openai:gpt 5' },
  ])('is refused with an example when $why', ({ line }) => {
    const read = () => modelSpec(line)
    expect(read).toThrow(LanguageModelError)
    expect(read).toThrow(expect.objectContaining({ remedy: expect.stringContaining('for example') }))
  })

  test('a key in place of the model is not repeated', async () => {
    const key = `sk-ant-${'hunter22'.repeat(4)}`
    const unseen = expect.objectContaining({ message: expect.not.stringContaining('hunter22') })
    expect(() => modelSpec(key)).toThrow(unseen)
    await expect(languageModel({ spec: `anthropic:${key}` })).rejects.toEqual(unseen)
  })

  test.each(['openai-compatible:http://me:hunter22@x.test/v1#m', 'openai:https://x.test/v1?key=hunter22#m'])(
    'credentials in the address are refused and not repeated: %s',
    (line) => {
      const unseen = expect.objectContaining({ message: expect.not.stringContaining('hunter22') })
      expect(() => modelSpec(line)).toThrow(unseen)
      expect(() => modelSpec(line)).toThrow(LanguageModelError)
    },
  )

  test.each(['anthropic:m', 'google:m', 'openai:m'])(
    '%s needs a key for the address of its own',
    async (spec) => {
      await expect(languageModel({ spec })).rejects.toMatchObject({
        name: 'LanguageModelError',
        remedy: expect.stringContaining('AUDITION_LLM_KEY'),
      })
    },
  )
})

describe('each provider speaks its own protocol', () => {
  test.each([
    {
      provider: 'openai-compatible',
      path: '/v1/chat/completions',
      header: 'authorization',
      sent: 'Bearer k-1',
    },
    { provider: 'openai', path: '/v1/chat/completions', header: 'authorization', sent: 'Bearer k-1' },
    { provider: 'ollama', path: '/v1/chat/completions', header: 'authorization', sent: 'Bearer k-1' },
    { provider: 'anthropic', path: '/v1/messages', header: 'x-api-key', sent: 'k-1' },
    {
      provider: 'google',
      path: '/v1beta/models/tiny:generateContent',
      header: 'x-goog-api-key',
      sent: 'k-1',
    },
  ] as const)('$provider, with the key in $header', async ({ provider, path, header, sent }) => {
    const server = await serve({ text: 'Hello.', tokens: { input: 7, output: 3 } })
    const model = await languageModel({ spec: server.spec(provider), key: 'k-1' })
    const { text, usage } = await generateText({ model, prompt: 'Hi', maxOutputTokens: 9 })
    expect({ text, input: usage.inputTokens, output: usage.outputTokens }).toEqual({
      text: 'Hello.',
      input: 7,
      output: 3,
    })
    expect(server.requests.map((request) => [request.path, request.headers[header]])).toEqual([[path, sent]])
  })

  test('OpenAI itself knows the limit of an answer by another name', async () => {
    const server = await serve({ text: 'x' })
    for (const provider of ['openai', 'ollama'] as const) {
      const model = await languageModel({ spec: server.spec(provider), key: 'k-1' })
      await generateText({ model, prompt: 'Hi', maxOutputTokens: 9 })
    }
    expect(server.requests.map(({ body }) => [body.max_completion_tokens, body.max_tokens])).toEqual([
      [9, undefined],
      [undefined, 9],
    ])
  })

  test.each(['anthropic', 'google', 'openai-compatible'] as const)(
    '%s takes no key or address from variables that are not ours',
    async (provider) => {
      vi.stubEnv('ANTHROPIC_API_KEY', 'stray')
      vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1')
      vi.stubEnv('GOOGLE_GENERATIVE_AI_API_KEY', 'stray')
      vi.stubEnv('OPENAI_API_KEY', 'stray')
      const server = await serve({ text: 'x' })
      await generateText({ model: await languageModel({ spec: server.spec(provider) }), prompt: 'Hi' })
      expect(JSON.stringify(server.requests[0]?.headers)).not.toContain('stray')
    },
  )

  test('a redirect is not followed: a key would travel with it', async () => {
    const elsewhere = await serve({ text: 'stolen' })
    const server = await serve({
      status: 307,
      body: '',
      headers: { location: `${elsewhere.origin}/v1/messages` },
    })
    const model = await languageModel({ spec: server.spec('anthropic'), key: 'k-1' })
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toThrow()
    expect(elsewhere.requests).toEqual([])
  })

  test('a setting that the provider has not is no line on standard output', async () => {
    const server = await serve({ text: 'x' })
    const printed = vi.spyOn(console, 'info').mockImplementation(() => {})
    const model = await languageModel({ spec: server.spec('openai-compatible') })
    const { warnings } = await generateText({ model, prompt: 'Hi', topK: 3 })
    expect(warnings).toHaveLength(1)
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })
})
