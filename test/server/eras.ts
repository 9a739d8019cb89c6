/** A JSON-RPC request as it stands on the wire. */
export type RawRequest = {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: { readonly [key: string]: unknown }
}

/** Revisions whose connections begin with `initialize`. */
export const handshakeEras = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

/** The revision that carries its version with every request. */
export const modernEra = '2026-07-28'

/** The first request of a connection. */
export const initialize = (protocolVersion: string): RawRequest => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

/** The notification that follows its answer. */
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const

/** A request of the revisions that begin with `initialize`. */
export const plain = (id: number, method: string, params: object = {}): RawRequest => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params },
})

/** A request of the current revision. */
export const modern = (id: number, method: string, params: object = {}): RawRequest => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': modernEra,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})

/** A call that finds something. */
export const searchCall = {
  name: 'search_tools',
  arguments: { query: 'list the issues of a repository' },
} as const
