import { dirname } from 'node:path'
import { boundLaunch, headerParts } from '../../../trust/launches/bound-launch.ts'
import type { Profile } from '../../../catalog/formats/capability-profile.ts'
import type { Card } from '../../../domain/card.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import { AgentFailure } from '../../../probing/run/bounded-execution.ts'
import type { CardRunner } from '../../../probing/runtime-kind.ts'
import { RuntimeError } from '../../../probing/ports.ts'
import { profileOfCard } from '../../../probing/run/profile-file.ts'
import { remoteHost } from '../../../probing/run/bounded-fetch.ts'
import { httpGuard } from '../../http/guarded-fetch.ts'
import { unfilledVariable } from '../../command/profile-command.ts'
import { variableFiller } from '../../processes/expand-variables.ts'
import { knownValues } from '../../processes/launch-secrets.ts'
import { agentParts } from './configured-agent.ts'
import type { SessionSettings } from './attached-tools.ts'
import { modelAgentRunner, type PlannedAgent } from './model-agent.ts'
import { callPolicy } from './policy-settings.ts'
import { displayOfServers, permitsOfServers, toolParts, wantedTools } from './profile-servers.ts'
import { openModel } from '../models/providers.ts'

/**
 * Runs agents behind any address that speaks OpenAI's chat protocol, as the `chat` of their profile states it. Instructions,
 * policy and servers of the profile count as they do on a model of ours; its other tools are the agent's own business.
 */
export function chatExecutor(options: SessionSettings): CardRunner {
  return modelAgentRunner((card) => agentOf(card, options), options)
}

type Chat = NonNullable<Profile['chat']>

function agentOf(card: Card, settings: SessionSettings): PlannedAgent {
  const { file, profile } = profileOfCard(card)
  if (profile.chat === undefined) {
    throw new RuntimeError(`${file} has no "chat" any more`, 'Run `audition index` on its source again.')
  }
  const { url, headers, secrets } = filledIn(file, profile.chat, settings)
  const { model } = profile.chat
  const { guard = httpGuard(), isNamed = () => false } = settings
  const permit = `chat:${url.origin}`
  const wanted = { ...wantedTools(file, profile, settings), unattached: [] }
  const attached = wanted.servers.length === 0 ? '' : `, with ${displayOfServers(wanted.servers)}`
  const shown = (text: string) => maskSecrets(text, secrets)
  const { needs, binds } = permitsOfServers(wanted.servers, settings)
  const bound = boundLaunch(file, [
    { name: 'address', exact: url.href, shown: shown(url.href) },
    { name: 'model', exact: model },
    ...headerParts(profile.chat.headers ?? {}),
    ...toolParts(wanted.servers),
    ...agentParts({ instructions: profile.instructions ?? '', policy: profile.policy }),
  ])
  return {
    launch: {
      permit: shown(permit),
      needs,
      binds: { [shown(permit)]: bound, ...binds },
      display: shown(`${model} at ${url.href}${attached}`),
      host: remoteHost(url),
    },
    agent: {
      notes: [{ text: shown(`model: ${model} at ${url.href}`) }],
      open: (fetch) => openModel('openai-compatible', { baseUrl: url.href, model, fetch }),
      send: guard.fetch(isNamed(permit) ? 'user' : 'card'),
      headers,
      secrets,
      instructions: profile.instructions ?? '',
      policy: callPolicy(profile.policy, `openai-compatible:${url.href}#${model}`),
      wanted,
      sessions: settings,
      costOf: () => undefined,
      failure: (error) => chatFailure(error, card.id, shown),
    },
  }
}

/** The address and headers with their variables filled in. */
function filledIn(file: string, chat: Chat, { environment, catalogFolder }: SessionSettings) {
  const filler = variableFiller({
    environment,
    catalogFolder,
    folder: dirname(file),
    refuse: (unfilled) => unfilledVariable(unfilled, file),
  })
  const address = filler.expand(chat.url)
  const headers = filler.expandAll(chat.headers ?? {})
  const secrets = knownValues(Object.entries(headers), filler.substituted).inAnswers
  const url = URL.canParse(address) ? new URL(address) : undefined
  const refuse = (what: string) =>
    new RuntimeError(maskSecrets(`${file}: ${what}`, secrets), 'Correct "url" or "headers" of "chat".')
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse(`"${address}" is no address of the web`)
  }
  if (url.username + url.password + url.search + url.hash !== '') {
    throw refuse('its address holds more than host and path; secrets stand in "headers"')
  }
  const stated = Object.entries(headers).filter(([, value]) => value.trim() !== '')
  const malformed = stated.find(([name, value]) => !isHeader(name, value))
  if (malformed !== undefined) throw refuse(`"${malformed[0]}" is no header, or its value holds a line break`)
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/chat\/completions$/, '')
  return { url, headers: Object.fromEntries(stated), secrets }
}

const isHeader = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** An endpoint that does not know us says nothing of itself; any other refusal is its failure. */
async function chatFailure(error: unknown, id: string, shown: (text: string) => string): Promise<unknown> {
  const { callError, reasonOf } = await import('../models/model-failure.ts')
  const call = callError(error)
  if (call === undefined) return error
  if (call.statusCode === 401 || call.statusCode === 403) {
    return new RuntimeError(
      shown(`${id} wants to know who calls: ${reasonOf(call)}`),
      'Correct "headers" of "chat" in its profile, or the variables that they name.',
    )
  }
  return new AgentFailure(`it cannot be asked: ${reasonOf(call)}`)
}
