import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import type { Audition } from '../../src/compose/audition.ts'
import { createServer, type ServerOptions } from '../../src/server/server.ts'

/** A client named like a test. */
export const testClient = (options: ClientOptions = {}, name = 'test'): Client =>
  new Client({ name, version: '1.0.0' }, options)

/** A real client of a server in this process. */
export async function connectInMemory(
  app: Audition,
  { client = testClient(), ...options }: ServerOptions & { readonly client?: Client } = {},
): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await createServer(app, options).connect(serverSide)
  await client.connect(clientSide)
  return client
}

/** The text of a result. */
export const textOf = (result: { readonly content: readonly unknown[] }): string =>
  result.content
    .map((block) =>
      typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : '',
    )
    .join('\n')
