import { fileURLToPath } from 'node:url'
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { hostNamed, hostOfClient } from '../../hosts/hosts.ts'
import type { Asker } from '../../hosts/reach.ts'
import type { HostUser } from '../../hosts/surroundings.ts'

/** What a server knows of whoever asks it before anybody does. */
export type Surrounded = {
  /** The host that starts us, by its name, as its configuration says it; who calls itself otherwise counts more. */
  readonly hostName?: string
  readonly user: HostUser
  /** The folder that a host started us in; null where callers come by the network. */
  readonly cwd: string | null
  /** Whether tools and agents can be called through us. @defaultValue false */
  readonly calls?: boolean
}

/** Who asks, as far as that is known, and what that one may do through us. */
export type Asking = { readonly asker: Asker | null; readonly calls: boolean }

/** Milliseconds that a client has to name its roots. */
const rootsMs = 1_000

/** Tells of each request who makes it. The roots of a client are asked for once, and again when they change. */
export function askingOf(
  { server }: McpServer,
  { hostName, user, cwd, calls = false }: Surrounded,
): (context: ServerContext) => Promise<Asking> {
  let roots: Promise<string | undefined> | undefined
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    roots = undefined
  })
  const rootOf = async (): Promise<string | undefined> => {
    if (cwd === null || server.getClientCapabilities()?.roots === undefined) return undefined
    roots ??= server.listRoots(undefined, { timeout: rootsMs }).then(
      (listed) => listed.roots.flatMap(({ uri }) => pathOf(uri) ?? [])[0],
      () => undefined, // the folder we were started in has to do
    )
    return roots
  }
  return async ({ mcpReq }) => {
    const client = clientOf(mcpReq.envelope) ?? server.getClientVersion()?.name ?? ''
    const host = hostOfClient(client) ?? hostNamed(hostName ?? '')
    if (host === undefined) return { asker: null, calls }
    const folder = (await rootOf()) ?? cwd
    return { asker: { host, user, project: isProject(folder, user) ? folder : null }, calls }
  }
}

/** Requests of the revision without handshake say who sends them. */
const clientOf = (envelope: ServerContext['mcpReq']['envelope']): string | undefined =>
  (envelope as { readonly [key: string]: { readonly name?: string } } | undefined)?.[
    'io.modelcontextprotocol/clientInfo'
  ]?.name

/** Desktop programs start us in the root of the disk, or at home: that is no project. */
const isProject = (folder: string | null | undefined, { home }: HostUser): folder is string =>
  folder !== null && folder !== undefined && folder !== home && !/^(?:[A-Za-z]:)?[\\/]?$/.test(folder)

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}
