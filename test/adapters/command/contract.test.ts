import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { type Behaviour, executorContract } from '../../probing/executor-contract.ts'
import { commandRuntime } from '../../../src/adapters/command/command-runtime.ts'
import { agentOf, cardOf, catalogFolder, processesWith } from './agents.ts'

const secret = 'hunter2-Zq8-unguessable'

const programs: { readonly [behaviour in Behaviour]: string } = {
  answers: 'echo',
  fails: 'crash',
  hangs: 'family',
  floods: 'flood-for-ever',
  'tells-secret': 'tell-secret',
  'fails-with-secret': 'fail-with-secret',
}

const executor = executorOf(commandRuntime, {
  catalogFolder,
  environment: { ...process.env, MY_TOKEN: secret },
})

executorContract('command', {
  async subject(behaviour) {
    const { card, mark } = agentOf(programs[behaviour], {})
    return {
      executor,
      card: behaviour.includes('secret') ? withToken(programs[behaviour], mark) : card,
      task: { text: 'Say hello' },
      answer: 'You said: Say hello',
      secret,
      leftovers: () => processesWith(mark),
    }
  },
  foreign: { ...cardOf('/tmp/x.yaml'), backbone: { name: 'a model' } },
  broken: async () => ({ executor, card: cardOf('/no/such/profile.yaml') }),
})

function withToken(behaviour: string, mark: string) {
  const run = { env: { API_TOKEN: `\${MY_TOKEN}` } }
  return agentOf(behaviour, { run, mark }).card
}
