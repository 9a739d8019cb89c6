import type { AgentCard } from '@a2a-js/sdk'
import { type Client, ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client'
import type { AgentAddress } from './agent-address.ts'

/**
 * A client of the agent at an address. Its card is made up of what we indexed, so nothing is fetched and no card that
 * changed since can lead elsewhere.
 */
export function openAgent(address: AgentAddress, fetch: typeof globalThis.fetch): Promise<Client> {
  const options = { fetchImpl: fetch, legacyCompat: { enabled: true } }
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    clientConfig: { polling: true, acceptedOutputModes: ['text/plain', 'application/json'] },
  })
  return factory.createFromAgentCard(cardFor(address))
}

const cardFor = ({ url, binding, protocolVersion, streams }: AgentAddress): AgentCard => ({
  name: url.host,
  description: '',
  version: '',
  provider: undefined,
  supportedInterfaces: [{ url: url.href, protocolBinding: binding, protocolVersion, tenant: '' }],
  capabilities: { streaming: streams, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [],
  signatures: [],
})
