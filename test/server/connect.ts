import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import type { Audition } from '../../src/compose/audition.ts'
import { createServer } from '../../src/server/server.ts'

/** A client named like a test. */
export const testClient = (options: ClientOptions = {}): Client =>
  new Client({ name: 'test', version: '1.0.0' }, options)

/** A real client of a server in this process. */
export async function connectInMemory(app: Audition): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const client = testClient()
  await createServer(app).connect(serverSide)
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
