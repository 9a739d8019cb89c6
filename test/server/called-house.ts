import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { grantsFor } from '../../src/probing/settings/grants.ts'
import { storeFolder } from '../adapters/lancedb/stores.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { connectInMemory } from './connect.ts'

const program = fileURLToPath(new URL('../fixtures/mcp-servers/called.mjs', import.meta.url))

/** A house with one server of the fixtures, indexed, and allowed unless a test says otherwise. */
export async function house({
  allow = true,
  settings = '',
}: {
  readonly allow?: boolean
  readonly settings?: string
} = {}) {
  const folder = realpathSync(folderWith({}))
  const pids = join(folder, 'pids')
  const config = join(folder, '.mcp.json')
  const configure = (mode: string) =>
    writeFileSync(
      config,
      JSON.stringify({
        mcpServers: { shop: { command: process.execPath, args: [program, pids], env: { MODE: mode } } },
      }),
    )
  configure('as-indexed')
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, `allow: []\n${settings}`)
  const home = storeFolder()
  const app = openAudition(
    configFrom({
      AUDITION_MODEL: 'none',
      AUDITION_HOME: home,
      AUDITION_SETTINGS: file,
      HOME: folder,
      PATH: process.env.PATH,
    }),
  )
  onTestFinished(() => app.close())
  await app.index({ locations: [config] })
  const permit = async () => {
    const probing = await app.probing()
    const cards = await app.cards(['shop/say'])
    const [plan] = await probing.plan({ cards, tasks: { kind: 'given', tasks: [] } })
    if (plan?.notRun?.kind === 'permission')
      await probing.changeAllow({ add: grantsFor(plan.notRun.missing, plan.launch ?? {}) })
  }
  if (allow) await permit()
  const surrounded = { user: { home: folder, platform: process.platform, env: {} }, cwd: folder, calls: true }
  const started = () => {
    try {
      return readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    } catch {
      return []
    }
  }
  return { app, folder, configure, permit, surrounded, started, file }
}

export async function connected(at: Awaited<ReturnType<typeof house>>): Promise<Client> {
  const client = await connectInMemory(at.app, { surrounded: at.surrounded })
  onTestFinished(() => client.close())
  return client
}

export const call = (client: Client, tool: string, id: string, args: object = {}) =>
  client.callTool({ name: tool, arguments: { id, arguments: args } })

/** What the record has of uses, oldest first, once there are so many. */
export async function usesOf({ app }: Awaited<ReturnType<typeof house>>, count: number) {
  const record = await app.record()
  for (;;) {
    const uses = await record.list({ origin: 'use' })
    if (uses.length >= count) return [...uses].reverse()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
