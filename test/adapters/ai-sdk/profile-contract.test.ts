import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { describe } from 'vitest'
import { profileRuntime } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import type { ModelReply, ModelRequest } from '../../fakes/model-server.ts'
import { type Behaviour, executorContract } from '../../probing/executor-contract.ts'
import { processesWith, newMark } from '../command/agents.ts'
import { serverProgram } from '../mcp-client/tools.ts'
import { foreignCard, profileCard, servedModel } from './agents.ts'

const catalogFolder = '/opt/audition/catalog'
const version = '0.0.0'
const answer = 'It is noon.'
const waitUntilClosed = async (open: () => number) => {
  for (let turn = 0; turn < 200 && open() > 0; turn++) await new Promise((resolve) => setTimeout(resolve, 10))
  return open() === 0 ? [] : ['a request']
}

const keyIn = ({ headers }: ModelRequest): string =>
  String(headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization)

const models: { readonly [B in Behaviour]: (request: ModelRequest) => ModelReply } = {
  answers: () => ({ text: answer }),
  fails: () => ({ text: '' }),
  hangs: () => ({ hangs: true }),
  floods: () => ({ floods: true }),
  'tells-secret': (request) => ({ text: `I was called with ${keyIn(request)}.` }),
  'fails-with-secret': (request) => ({
    text: `I was called with ${keyIn(request)}.`,
    finish: 'content_filter',
  }),
}

describe.each(['anthropic', 'google', 'openai-compatible'] as const)('on a model of %s', (provider) => {
  const secret = 'key-77c1e5a0b1'
  executorContract('profile', {
    async subject(behaviour) {
      const model = await servedModel((request) => models[behaviour](request))
      const languageModel = { spec: model.spec(provider), key: secret }
      return {
        executor: executorOf(profileRuntime, {
          languageModel,
          catalogFolder,
          environment: process.env,
          version,
        }),
        card: profileCard({ backbone: { name: 'named' }, instructions: 'Tell the time.' }).card,
        task: { text: 'What time is it?' },
        answer,
        secret,
        leftovers: () => waitUntilClosed(model.open),
      }
    },
    foreign: foreignCard,
    async broken() {
      const { card } = profileCard({ backbone: { name: 'named' } })
      return {
        executor: executorOf(profileRuntime, {
          languageModel: null,
          catalogFolder,
          environment: {},
          version,
        }),
        card,
      }
    },
  })
})

const tools: { readonly [B in Behaviour]: string } = {
  answers: 'echo',
  fails: 'crash-at-start',
  hangs: 'stubborn',
  floods: 'flood',
  'tells-secret': 'tell-secret',
  'fails-with-secret': 'fail-with-secret',
}

describe('on a tool that behaves in one way or another', () => {
  const secret = 'hunter2-Zq8-unguessable'
  executorContract('profile', {
    async subject(behaviour) {
      const mark = newMark()
      const model = await servedModel(({ body, turn }) =>
        hasToolResult(body)
          ? { text: behaviour === 'fails-with-secret' ? '' : `${answer} ${JSON.stringify(body)}` }
          : { calls: [{ tool: 'work', arguments: { text: `hay ${turn}` } }] },
      )
      const { card } = profileCard({
        backbone: { name: 'named' },
        tools: [{ name: 'work', server: 'subject' }],
        servers: {
          subject: {
            command: process.execPath,
            args: [serverProgram, tools[behaviour], mark],
            env: { API_TOKEN: `\${MY_TOKEN}` },
          },
        },
      })
      return {
        executor: executorOf(profileRuntime, {
          languageModel: { spec: model.spec('openai-compatible') },
          catalogFolder,
          environment: { ...process.env, MY_TOKEN: secret },
          version,
        }),
        card,
        task: { text: 'Work on hay.' },
        answer,
        secret,
        leftovers: async () => [...(await waitUntilClosed(model.open)), ...processesWith(mark)],
      }
    },
    foreign: foreignCard,
    async broken() {
      const { card } = profileCard({
        backbone: { name: 'named' },
        servers: { subject: { command: 'no-such-program-anywhere' } },
      })
      const languageModel = { spec: 'ollama:tiny' }
      return {
        executor: executorOf(profileRuntime, {
          languageModel,
          catalogFolder,
          environment: process.env,
          version,
        }),
        card,
      }
    },
  })
})

const hasToolResult = (body: object): boolean => JSON.stringify(body).includes('"role":"tool"')
