import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { a2aRuntime } from '../../../src/adapters/a2a/a2a-runtime.ts'
import type { AgentCard } from '../../../src/domain/card.ts'
import { defaultLimits, RuntimeError } from '../../../src/probing/ports.ts'
import { type A2aAgent, a2aAgent } from '../../fakes/a2a-agent.ts'

type Act = Parameters<typeof a2aAgent>[0]
type Intercept = Parameters<typeof a2aAgent>[1]

const agentOf = async (act: Act, intercept?: Intercept): Promise<A2aAgent> => {
  const agent = await a2aAgent(act, intercept)
  onTestFinished(() => agent.close())
  return agent
}

const executor = (environment: { readonly [name: string]: string } = {}) =>
  executorOf(a2aRuntime, { environment, version: '1.2.3', isNamed: () => true })

const run = (card: AgentCard, options: { readonly seconds?: number; readonly tokens?: string } = {}) =>
  executor(options.tokens === undefined ? {} : { AUDITION_A2A_TOKENS: options.tokens }).execute(
    card,
    { text: 'Bake bread.' },
    {
      limits: { ...defaultLimits, seconds: options.seconds ?? 30 },
      signal: new AbortController().signal,
    },
  )

describe('what an agent says becomes the answer', () => {
  test.each<{ why: string; act: Act; answer: string; structured?: unknown }>([
    {
      why: 'a message of several parts',
      act: (turn) => turn.message('One.', 'Two.'),
      answer: 'One.\nTwo.',
    },
    {
      why: 'data alone, as JSON and as structure',
      act: (turn) => turn.message({ loaves: 2 }),
      answer: '{"loaves":2}',
      structured: { loaves: 2 },
    },
    {
      why: 'several data parts, as a list',
      act: (turn) => turn.message('Here:', { loaves: 2 }, { rolls: 6 }),
      answer: 'Here:\n{"loaves":2}\n{"rolls":6}',
      structured: [{ loaves: 2 }, { rolls: 6 }],
    },
    {
      why: 'artifacts, before what the last status says',
      act(turn) {
        turn.task('TASK_STATE_WORKING')
        turn.artifact('bread', ['A loaf.'])
        turn.artifact('note', ['Still warm.'])
        turn.task('TASK_STATE_COMPLETED', 'Done.')
      },
      answer: 'A loaf.\nStill warm.',
    },
    {
      why: 'what the last status says, when nothing was made',
      act(turn) {
        turn.task('TASK_STATE_SUBMITTED')
        turn.task('TASK_STATE_COMPLETED', 'It is noon.')
      },
      answer: 'It is noon.',
    },
    {
      why: 'an artifact that replaces the one of the same name',
      act(turn) {
        turn.task('TASK_STATE_WORKING')
        turn.artifact('bread', ['Dough.'])
        turn.artifact('bread', ['A loaf.'])
        turn.task('TASK_STATE_COMPLETED')
      },
      answer: 'A loaf.',
    },
  ])('$why', async ({ act, answer, structured }) => {
    const agent = await agentOf(act)
    for (const form of [{}, { streams: true }, { binding: 'HTTP+JSON' }, { version: '0.2.5' }]) {
      const execution = await run(agent.card(form))
      expect(execution).toMatchObject({ ending: 'answered', answer, failure: null })
      expect(execution.structured).toEqual(structured)
    }
  })

  test('the transcript has the states of the task and what was said on the way', async () => {
    const agent = await agentOf((turn) => {
      turn.task('TASK_STATE_SUBMITTED')
      turn.task('TASK_STATE_WORKING', 'Kneading.')
      turn.task('TASK_STATE_COMPLETED', 'A loaf.')
    })
    const { transcript } = await run(agent.card({ streams: true }))
    expect(transcript.map((event) => ('text' in event ? `${event.kind}: ${event.text}` : ''))).toEqual([
      'status: task submitted',
      'status: task working',
      'message: Kneading.',
      'status: task completed',
      'message: A loaf.',
    ])
  })

  test('the agent gets the words of the task, our name and no card is fetched', async () => {
    let heard = ''
    let name: string | undefined
    const agent = await agentOf(
      (turn) => {
        heard = turn.text
        turn.message('ok')
      },
      (request, _response, next) => {
        name = request.headers['user-agent']
        next()
      },
    )
    await run(agent.card())
    expect({ heard, name, paths: agent.paths }).toEqual({
      heard: 'Bake bread.',
      name: 'audition/1.2.3',
      paths: ['/rpc'],
    })
  })
})

describe('a task that ends otherwise is a failure that says why', () => {
  test.each([
    { state: 'TASK_STATE_FAILED', says: 'it says that it failed: No flour.' },
    { state: 'TASK_STATE_REJECTED', says: 'it rejected the task: No flour.' },
    { state: 'TASK_STATE_INPUT_REQUIRED', says: 'it asks back instead of answering: No flour.' },
    { state: 'TASK_STATE_AUTH_REQUIRED', says: 'it asks for an authorisation' },
    { state: 'TASK_STATE_CANCELED', says: 'it cancelled the task itself: No flour.' },
  ] as const)('$state', async ({ state, says }) => {
    const agent = await agentOf((turn) => {
      turn.task('TASK_STATE_WORKING')
      turn.task(state, 'No flour.')
    })
    for (const streams of [true, false]) {
      const execution = await run(agent.card({ streams }))
      expect(execution).toMatchObject({
        ending: 'failed',
        answer: '',
        failure: expect.stringContaining(says),
      })
    }
  })

  test('a task that waits for an answer of ours is cancelled', async () => {
    const agent = await agentOf((turn) => {
      turn.task('TASK_STATE_INPUT_REQUIRED', 'Which flour?')
    })
    await run(agent.card())
    expect(agent.cancellations).toHaveLength(1)
  })

  test('a task that completes without a word is a failure', async () => {
    const agent = await agentOf((turn) => turn.task('TASK_STATE_COMPLETED'))
    expect(await run(agent.card())).toMatchObject({ ending: 'failed', failure: 'it answered nothing' })
  })

  test.each([true, false])(
    'a task that is stopped is cancelled at the agent, streaming: %s',
    async (streams) => {
      const agent = await agentOf(async (turn) => {
        turn.task('TASK_STATE_WORKING')
        await turn.cancelled
      })
      const controller = new AbortController()
      const execution = await executor().execute(
        agent.card({ streams }),
        { text: 'Bake bread.' },
        { limits: defaultLimits, signal: controller.signal, onEvent: () => controller.abort() },
      )
      expect(execution).toMatchObject({ ending: 'cancelled' })
      expect(agent.cancellations).toHaveLength(1)
      expect(agent.unfinished()).toEqual([])
      expect(await agent.leftovers()).toEqual([])
    },
  )

  test('an error of the agent is a failure', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {}) // the server's own log
    onTestFinished(() => printed.mockRestore())
    const agent = await agentOf(() => {
      throw new Error('The oven is broken.')
    })
    expect(await run(agent.card())).toMatchObject({
      ending: 'failed',
      failure: expect.stringContaining('The oven is broken.'),
    })
  })
})

describe('what is no A2A agent', () => {
  test.each<{ why: string; intercept: Intercept; says: RegExp }>([
    {
      why: 'a web page',
      intercept: (_, response) => void response.send('<html>'),
      says: /JSON|content-type/i,
    },
    { why: 'an error', intercept: (_, response) => void response.status(500).send('no'), says: /500/ },
    {
      why: 'an answer to another question',
      intercept: (_, response) => void response.json({ jsonrpc: '2.0', id: 'other', result: {} }),
      says: /\S/,
    },
    { why: 'a line that is cut', intercept: (request) => void request.socket.destroy(), says: /\S/ },
    {
      why: 'a redirect elsewhere',
      intercept: (_, response) => void response.redirect(307, 'http://127.0.0.1:1/rpc'),
      says: /another host/,
    },
  ])('$why is a failure', async ({ intercept, says }) => {
    const agent = await agentOf(() => {}, intercept)
    for (const streams of [true, false]) {
      const execution = await run(agent.card({ streams }))
      expect(execution).toMatchObject({ ending: 'failed', failure: expect.stringMatching(says) })
    }
  })

  test('a socket that never speaks is stopped in time', async () => {
    const agent = await agentOf(
      () => {},
      () => {},
    )
    expect(await run(agent.card(), { seconds: 0.3 })).toMatchObject({ ending: 'limit', outputBytes: 0 })
    expect(await agent.leftovers()).toEqual([])
  })

  test('a redirect within the agent is followed', async () => {
    const agent = await agentOf(
      (turn) => turn.message('ok'),
      (request, response, next) => (request.path === '/old' ? response.redirect(308, '/rpc') : next()),
    )
    const card = agent.card()
    const moved = { ...card, runtime: { ...card.runtime, url: `${agent.origin}/old` } } as AgentCard
    expect(await run(moved)).toMatchObject({ ending: 'answered', answer: 'ok' })
  })
})

describe('who calls', () => {
  const guard: Intercept = (request, response, next) =>
    request.headers.authorization === 'Bearer tok-12345' ? next() : void response.status(401).send('no')

  test('an agent that asks is told the token of its origin', async () => {
    const agent = await agentOf((turn) => turn.message('ok'), guard)
    const tokens = JSON.stringify({ [agent.origin]: 'tok-12345', 'https://else.test': 'tok-other' })
    expect(await run(agent.card(), { tokens })).toMatchObject({ ending: 'answered' })
  })

  test.each([
    { why: 'there is none', tokens: undefined },
    { why: 'it is of another port', tokens: '{"http://127.0.0.1:1": "tok-12345"}' },
  ])('the agent is not blamed when it refuses us and $why', async ({ tokens }) => {
    const agent = await agentOf((turn) => turn.message('ok'), guard)
    const failure = await run(agent.card(), tokens === undefined ? {} : { tokens }).catch((error) => error)
    expect(failure).toBeInstanceOf(RuntimeError)
    expect(failure).toMatchObject({
      message: expect.stringContaining('401'),
      remedy: expect.stringContaining(`{"${agent.origin}": "<token>"}`),
    })
  })

  test.each([
    'tok-12345',
    '["tok-12345"]',
    '{"http://127.0.0.1:7": 12345}',
    '{"http://127.0.0.1:7": "tok 12345"}',
  ])('a variable that holds %s is refused and not repeated', async (value) => {
    const agent = await agentOf(() => {})
    const card = agent.card()
    const tokens = value.replace('http://127.0.0.1:7', agent.origin)
    const failure = await executor({ AUDITION_A2A_TOKENS: tokens })
      .plan(card)
      .catch((error) => error)
    expect(failure).toBeInstanceOf(RuntimeError)
    expect(`${failure.message} ${failure.remedy}`).not.toContain('12345')
  })
})

describe('a plan', () => {
  const card = (url: string, binding = 'JSONRPC'): AgentCard => ({
    kind: 'agent',
    agentKind: 'a2a',
    id: 'a/agent',
    source: 'a',
    name: 'agent',
    description: '',
    examples: [],
    tags: [],
    backbone: null,
    tools: [],
    policy: {},
    runtime: { kind: 'a2a', url, binding, protocolVersion: '1.0' },
    provenance: { reader: 'a2a-card', location: 'test' },
  })

  test.each([
    {
      url: 'https://bakery.test/a2a/v1',
      permit: 'a2a:https://bakery.test',
      host: 'bakery.test',
      display: 'A2A agent at https://bakery.test/a2a/v1 (JSONRPC)',
    },
    { url: 'http://localhost:4000/', permit: 'a2a:http://localhost:4000', host: null },
    { url: 'http://[::1]:4000/', permit: 'a2a:http://[::1]:4000', host: null },
    {
      url: 'http://127.0.0.1.evil.test/',
      permit: 'a2a:http://127.0.0.1.evil.test',
      host: '127.0.0.1.evil.test',
    },
  ])('of $url names $permit', async ({ url, ...launch }) => {
    expect(await executor().plan(card(url))).toMatchObject({ ...launch, needs: [] })
  })

  test.each([
    { url: 'file:///etc/passwd' },
    { url: 'bakery' },
    { url: 'https://me:pw@bakery.test/' },
    { url: 'https://bakery.test/?key=***' },
    { url: 'https://bakery.test/', binding: 'GRPC' },
  ])('refuses $url $binding', async ({ url, binding }) => {
    const failure = await executor()
      .plan(card(url, binding))
      .catch((error) => error)
    expect(failure).toBeInstanceOf(RuntimeError)
    expect(failure.remedy).toMatch(/\S/)
    expect(failure.message).not.toContain('me:pw')
  })
})

test('an agent whose card names this machine is not contacted unless the user named it', async () => {
  let asked = 0
  const agent = await agentOf((turn) => {
    asked += 1
    turn.message('Here I am.')
  })
  const stranger = executorOf(a2aRuntime, {
    environment: {},
    version: '1.2.3',
    isNamed: (permit) => permit === 'a2a:http://127.0.0.2',
  })
  const error = await stranger
    .execute(agent.card(), { text: 'Bake.' }, { limits: defaultLimits, signal: new AbortController().signal })
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RuntimeError)
  expect(error).toMatchObject({
    message: expect.stringContaining('127.0.0.1'),
    remedy: expect.stringContaining('privateHosts'),
  })
  expect(asked).toBe(0)
})
