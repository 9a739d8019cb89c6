import type { Environment } from '../../domain/environment.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { boundedExecution } from '../../probing/run/bounded-execution.ts'
import { boundedFetch, remoteHost } from '../../probing/run/bounded-fetch.ts'
import { RuntimeError } from '../../probing/ports.ts'
import type { CardRunner } from '../../probing/runtime-kind.ts'
import { type HttpGuard, httpGuard } from '../http/guarded-fetch.ts'
import { agentAddress, tokenFor } from './agent-address.ts'

/** What agents are called with. */
export type A2aSurroundings = {
  /** `AUDITION_A2A_TOKENS` in it holds bearer tokens by origin. */
  readonly environment: Environment
  /** Ours, told to agents as `audition/<version>`. */
  readonly version: string
  /** The way to agents. @defaultValue one without private hosts */
  readonly guard?: HttpGuard
  /** Whether the user named the host of a permit in so many words. @defaultValue nobody's: private addresses are refused */
  readonly isNamed?: (permit: string) => boolean
}

/**
 * Runs agents behind the A2A protocol, 0.2 to 1.0, over JSON-RPC or REST: the task's text is the message, artifacts or
 * messages are the answer. One that answers 401 or 403 was not run: that says nothing of the agent.
 *
 * @see https://a2a-protocol.org, specification, sections on messages and tasks
 */
export function a2aExecutor({
  environment,
  version,
  guard = httpGuard(),
  isNamed = () => false,
}: A2aSurroundings): CardRunner {
  return {
    async secretsOf(card) {
      const token = tokenFor(agentAddress(card).url, environment)
      return token === undefined ? [] : [token]
    },
    async plan(card) {
      const { url, binding } = agentAddress(card)
      tokenFor(url, environment)
      return {
        permit: permitOf(url),
        needs: [],
        display: `A2A agent at ${maskSecrets(url.href)} (${binding})`,
        host: remoteHost(url),
      }
    },
    async execute(card, task, { limits, signal, onEvent }) {
      const address = agentAddress(card)
      const token = tokenFor(address.url, environment)
      const secrets = token === undefined ? [] : [token]
      const [{ openAgent }, { converse }] = await Promise.all([
        import('./open-agent.ts'),
        import('./converse.ts'),
      ])
      return boundedExecution({ limits, signal, onEvent, secrets }, async (run) => {
        const headers = {
          'user-agent': `audition/${version}`,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        }
        const namedBy = isNamed(permitOf(address.url)) ? 'user' : 'card'
        const send = boundedFetch(guard.fetch(namedBy), run.countBytes, headers)
        let refusal: RuntimeError | undefined
        const client = await openAgent(address, async (input, init) => {
          const response = await send(input, init).catch((error: unknown) => {
            if (error instanceof RuntimeError) refusal = error
            throw error
          })
          if (response.status === 401 || response.status === 403) {
            refusal = refused(card.id, response.status, address.url)
          }
          return response
        })
        return converse(client, { text: task.text, streams: address.streams }, run).catch(
          (error: unknown) => {
            throw refusal ?? error
          },
        )
      })
    },
  }
}

const permitOf = ({ origin }: URL): string => `a2a:${origin}`

const refused = (id: string, status: number, { origin }: URL): RuntimeError =>
  new RuntimeError(
    `${id} wants to know who calls (HTTP ${status})`,
    `Set AUDITION_A2A_TOKENS='{"${origin}": "<token>"}' in the environment Audition runs in.`,
  )
