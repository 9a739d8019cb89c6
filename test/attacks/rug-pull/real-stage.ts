import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { type Audition, openAudition } from '../../../src/compose/app.ts'
import { configFrom } from '../../../src/config.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import type { ServerSays } from './notes-server.ts'
import type { Stage } from './play.ts'

/** How the server is reached. */
export type Transport = 'stdio' | 'http'

/** A stage with a real server and a real store, to be closed. */
export type RealStage = Stage & {
  readonly audition: Audition
  readonly home: string
  readonly config: string
  /** The server, as the configuration names it. */
  readonly entry: JsonObject
  close(): Promise<void>
}

/**
 * Sets a stage: a server that is a process of its own, a configuration that names it, and a store.
 *
 * @param folder - empty; all of it lies there
 * @param script - the compiled `changing-server.ts`
 * @param environment - of Audition, beside its home
 */
export async function realStage(
  folder: string,
  script: string,
  transport: Transport,
  environment: { readonly [variable: string]: string } = {},
): Promise<RealStage> {
  const [home, says, config] = [join(folder, 'home'), join(folder, 'says.json'), join(folder, 'mcp.json')]
  mkdirSync(folder, { recursive: true })
  const served = transport === 'http' ? await listening(script, says) : null
  const entry: JsonObject =
    served === null
      ? { command: process.execPath, args: [script, says, 'stdio'] }
      : { type: 'http', url: served.url }
  writeFileSync(config, JSON.stringify({ mcpServers: { notes: entry } }))
  const audition = openAudition(
    configFrom({ PATH: process.env.PATH, AUDITION_READER: 'none', AUDITION_HOME: home, ...environment }),
  )
  const newest = lanceReader(home)
  /** Searches may be of a state of up to a second ago: waits until they are not. */
  const seesNewest = async (): Promise<void> => {
    const { generation } = await newest.snapshot('now')
    while ((await audition.counts()).generation !== generation) await setTimeout(50)
  }
  return {
    audition,
    home,
    config,
    entry,
    say: (server: ServerSays) => writeFileSync(says, JSON.stringify(server)),
    async index() {
      const { sources } = await audition.index({ locations: [config], refresh: true })
      const failure = sources.find((source) => source.failure !== undefined)?.failure
      if (failure !== undefined) throw new Error(`${failure.message} ${failure.remedy}`)
    },
    async cards() {
      await seesNewest()
      const ids = await Promise.all(
        (['tool', 'agent'] as const).map((kind) => audition.completeIds('', 100_000, kind)),
      )
      return audition.cards(ids.flat())
    },
    review: async () => (await audition.reviews()).find(({ key }) => key === 'notes'),
    async search(query) {
      await seesNewest()
      const { candidates } = await audition.search({ kind: 'tool', query, k: 10, pack: 'ranking' })
      return candidates.map(({ card }) => card.id)
    },
    async close() {
      await audition.close()
      await newest.close()
      await served?.stop()
    },
  }
}

async function listening(script: string, says: string) {
  const child = spawn(process.execPath, [script, says, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${line.toString('utf8').trim()}/mcp`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
