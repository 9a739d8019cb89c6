import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { describe, onTestFinished } from 'vitest'
import { a2aRuntime } from '../../../src/adapters/a2a/a2a-runtime.ts'
import { a2aAgent, type AgentTurn } from '../../fakes/a2a-agent.ts'
import { type Behaviour, executorContract } from '../../probing/executor-contract.ts'

const token = 'tok-3f9a77c1e5'
const answer = 'The answer is 42.'

/** Each behaviour as an agent that answers at once and as one that works on a task. */
const minds: { readonly [B in Behaviour]: (turn: AgentTurn, streams: boolean) => void | Promise<void> } = {
  answers(turn, streams) {
    if (!streams) return turn.message(answer)
    turn.task('TASK_STATE_SUBMITTED')
    turn.task('TASK_STATE_WORKING', 'Thinking.')
    turn.artifact('a', ['The answer'])
    turn.artifact('a', [' is 42.'], 'append')
    turn.task('TASK_STATE_COMPLETED')
  },
  fails(turn) {
    turn.task('TASK_STATE_WORKING')
    turn.task('TASK_STATE_FAILED', 'No bread today.')
  },
  async hangs(turn) {
    turn.task('TASK_STATE_WORKING')
    await turn.cancelled
  },
  async floods(turn, streams) {
    turn.task('TASK_STATE_WORKING')
    const piece = 'x'.repeat(30_000)
    for (let index = 0; index < 20; index++) turn.artifact('a', [piece], index === 0 ? undefined : 'append')
    if (streams) await turn.cancelled
    else turn.task('TASK_STATE_COMPLETED')
  },
  'tells-secret'(turn) {
    turn.message(`You are ${turn.authorization}.`, { who: turn.authorization })
  },
  'fails-with-secret'(turn) {
    turn.task('TASK_STATE_WORKING', `Hello ${turn.authorization}`)
    turn.task('TASK_STATE_FAILED', `Go away, ${turn.authorization}`)
  },
}

describe.each([
  { version: '1.0', binding: 'JSONRPC', streams: false },
  { version: '1.0', binding: 'JSONRPC', streams: true },
  { version: '1.0', binding: 'HTTP+JSON', streams: true },
  { version: '0.3.0', binding: 'JSONRPC', streams: false },
  { version: '0.3.0', binding: 'JSONRPC', streams: true },
])('an agent of A2A $version over $binding, streaming: $streams', (form) => {
  executorContract('a2a', {
    async subject(behaviour) {
      const agent = await a2aAgent((turn) => minds[behaviour](turn, form.streams))
      onTestFinished(() => agent.close())
      const environment = { AUDITION_A2A_TOKENS: JSON.stringify({ [agent.origin]: token }) }
      return {
        executor: executorOf(a2aRuntime, { environment, version: '1', isNamed: () => true }),
        card: agent.card(form),
        task: { text: 'What is the answer?' },
        answer,
        secret: token,
        leftovers: () => agent.leftovers(),
      }
    },
    foreign: {
      kind: 'tool',
      id: 'a/b',
      source: 'a',
      name: 'b',
      description: '',
      examples: [],
      tags: [],
      parameters: [],
      runtime: { kind: 'mcp', transport: 'stdio', config: '/a.json', server: 's', display: 'node' },
      provenance: { reader: 'mcp', location: '/a.json' },
    },
    async broken() {
      const agent = await a2aAgent(() => {})
      onTestFinished(() => agent.close())
      return {
        executor: executorOf(a2aRuntime, { environment: {}, version: '1', isNamed: () => true }),
        card: agent.card({ binding: 'GRPC' }),
      }
    },
  })
})
