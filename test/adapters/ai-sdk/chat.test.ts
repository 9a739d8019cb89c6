import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { describe, expect, test } from 'vitest'
import { chatRuntime } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import { allowList } from '../../../src/probing/settings/grants.ts'
import { RuntimeError } from '../../../src/probing/ports.ts'
import { unusedOrigin } from '../../fakes/unused-origin.ts'
import { type Behaviour, executorContract } from '../../probing/executor-contract.ts'
import { agentCard, foreignCard, linesOf, profileCard, runCard, servedModel } from './agents.ts'

const secret = 'tok-77c1e5a0b1'
const executorIn = (environment: { readonly [name: string]: string | undefined }) =>
  executorOf(chatRuntime, {
    catalogFolder: '/opt/audition/catalog',
    version: '0.0.0',
    environment,
    isNamed: () => true,
  })
const executor = executorIn({ ...process.env, CHAT_TOKEN: secret })
const chatCard = (fields: object, rest: object = {}) =>
  profileCard({ chat: { model: 'tiny', ...fields }, ...rest }, 'openai-chat').card

executorContract('openai-chat', {
  async subject(behaviour: Behaviour) {
    const model = await servedModel(({ headers }) => {
      const said = `I was called with ${headers['x-token']}.`
      switch (behaviour) {
        case 'answers':
          return { text: 'It is noon.' }
        case 'fails':
          return { status: 400, body: '{"error":{"message":"no clock here"}}' }
        case 'hangs':
          return { hangs: true }
        case 'floods':
          return { floods: true }
        case 'tells-secret':
          return { text: said }
        case 'fails-with-secret':
          return { status: 400, body: JSON.stringify({ error: { message: said } }) }
      }
    })
    return {
      executor,
      card: chatCard({ url: `${model.origin}/v1`, headers: { 'x-token': `\${CHAT_TOKEN}` } }),
      task: { text: 'What time is it?' },
      answer: 'It is noon.',
      secret,
      leftovers: async () => {
        for (let turn = 0; turn < 200 && model.open() > 0; turn++)
          await new Promise((resolve) => setTimeout(resolve, 10))
        return model.open() === 0 ? [] : ['a request']
      },
    }
  },
  foreign: foreignCard,
  broken: async () => ({
    executor: executorIn({}),
    card: chatCard({ url: 'http://127.0.0.1:1/v1', headers: { Authorization: `Bearer \${CHAT_TOKEN}` } }),
  }),
})

describe('a chat address', () => {
  test.each(['', '/', '/chat/completions'])('is asked where it says, with "%s" at its end', async (end) => {
    const model = await servedModel([{ text: 'noon' }])
    const card = chatCard(
      { url: `${model.origin}/v1${end}`, headers: { Authorization: `Bearer \${CHAT_TOKEN}`, 'X-Empty': '' } },
      { instructions: 'Tell the time.', policy: { temperature: 0.5, memory: true } },
    )
    const execution = await runCard(executor, card, {}, 'What time?')
    expect(execution).toMatchObject({
      ending: 'answered',
      answer: 'noon',
      tokens: { input: 10, output: 5 },
      cost: null,
    })
    const [request] = model.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(request?.headers).not.toHaveProperty('x-empty')
    expect(request?.body).toMatchObject({
      model: 'tiny',
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'Tell the time.' },
        { role: 'user', content: 'What time?' },
      ],
    })
    expect(linesOf(execution)).toEqual([
      `status: model: tiny at ${model.origin}/v1`,
      'status: settings of the policy not applied: memory (nothing is remembered from one run to the next)',
      'message: noon',
    ])
  })

  test('is planned by its origin, and by the servers that its profile attaches', async () => {
    const { card, file } = profileCard(
      {
        chat: { url: 'https://agents.test:8443/v1', model: 'tiny' },
        servers: { tool: { command: process.execPath } },
      },
      'openai-chat',
    )
    expect(await executor.plan(card)).toEqual({
      permit: 'chat:https://agents.test:8443',
      needs: [`mcp:${file}#tool`],
      binds: {
        'chat:https://agents.test:8443': expect.objectContaining({
          place: file,
          words: ['address: https://agents.test:8443/v1', 'model: tiny', 'tools of tool: all'],
        }),
        [`mcp:${file}#tool`]: expect.objectContaining({ place: `${file}#tool` }),
      },
      within: expect.stringMatching(/^no sandbox: .* at most 300 s of processor time, 2 GiB of memory/),
      display: `tiny at https://agents.test:8443/v1, with tool (${process.execPath})`,
      host: 'agents.test:8443',
    })
  })

  test.each([
    { list: ['chat:https://agents.test:8443'], missing: [] },
    { list: ['chat:https://agents.test'], missing: ['chat:https://agents.test:8443'] },
    { list: [], missing: ['chat:https://agents.test:8443'] },
  ])('is allowed by its origin alone, whatever it is told to do: $list', async ({ list, missing }) => {
    for (const instructions of ['Be brief.', 'Be thorough.']) {
      const card = chatCard({ url: 'https://agents.test:8443/v1' }, { instructions })
      expect(allowList(list, '/opt/audition/catalog').missing(card, await executor.plan(card))).toEqual(
        missing,
      )
    }
  })

  test.each([401, 403])('that answers %i was not run: that says nothing of the agent', async (status) => {
    const model = await servedModel([{ status, body: '{"error":{"message":"who are you"}}' }])
    const error = await runCard(executor, chatCard({ url: model.origin })).catch((reason) => reason)
    expect(error).toBeInstanceOf(RuntimeError)
    expect(error.message).toContain('who are you')
  })

  test.each([
    {
      why: 'redirects elsewhere',
      reply: { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/' } },
      says: /another host/,
    },
    { why: 'is a web page', reply: { status: 200, body: '<html>' }, says: /\S/ },
    { why: 'is lost', reply: { status: 404, body: 'not here' }, says: /404/ },
  ])('that $why is a failure', async ({ reply, says }) => {
    const model = await servedModel([reply])
    const execution = await runCard(executor, chatCard({ url: `${model.origin}/v1` }))
    expect(execution).toMatchObject({ ending: 'failed', failure: expect.stringMatching(says) })
  })

  test('where nothing listens is a failure that says so', async () => {
    const execution = await runCard(executor, chatCard({ url: await unusedOrigin() }))
    expect(execution).toMatchObject({ ending: 'failed', failure: expect.stringContaining('ECONNREFUSED') })
  })

  test('that is busy is asked again', async () => {
    const busy = { status: 503, body: '{}', headers: { 'retry-after-ms': '1' } }
    const model = await servedModel([busy, { text: 'noon' }])
    const execution = await runCard(executor, chatCard({ url: `${model.origin}/v1` }))
    expect(execution).toMatchObject({ ending: 'answered', answer: 'noon' })
  })

  test.each([
    { why: 'its query may hold a secret', chat: { url: 'https://a.test/v1?v=1' } },
    { why: 'a variable makes it a file', chat: { url: `\${PLACE}` } },
    { why: 'a header breaks a line', chat: { url: 'https://a.test', headers: { 'x-a': `\${BROKEN}` } } },
    { why: 'a header has no name', chat: { url: 'https://a.test', headers: { 'x a': 'b' } } },
    { why: 'a variable is not set', chat: { url: 'https://a.test', headers: { 'x-a': `\${UNSET}` } } },
  ])('is refused when $why', async ({ chat }) => {
    const environment = { PLACE: 'file:///etc/passwd', BROKEN: 'hunter22-a\nb' }
    const error = await executorIn(environment)
      .plan(chatCard(chat))
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(RuntimeError)
    expect(error.remedy).toMatch(/\S/)
    expect(error.message).not.toContain('hunter22')
  })

  test('whose profile comes from the network is not asked', async () => {
    const card = agentCard({ kind: 'openai-chat', file: 'https://x.test/a.yaml' })
    await expect(executor.plan(card)).rejects.toThrow('nothing from the network')
  })

  test('whose profile has become another agent is not asked', async () => {
    const { card } = profileCard({ backbone: { name: 'm' } }, 'openai-chat')
    await expect(executor.plan(card)).rejects.toThrow('has no "chat" any more')
  })
})
