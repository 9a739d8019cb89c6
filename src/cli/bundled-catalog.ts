import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'

const folder = join(packageRoot, 'catalog')

/** What every index run reads besides the user's own: our profiles, and our MCP servers as a host would name them. */
export const bundledCatalog: readonly string[] = [join(folder, 'profiles'), join(folder, 'mcp.json')]

/** What the quickstart adds: small agents that show why descriptions are not enough. */
export const demoCatalog: readonly string[] = [join(folder, 'demo', 'profiles')]
