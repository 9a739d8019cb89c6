import { join, relative } from 'node:path'
import { fetchDocument } from '../adapters/http/fetch-document.ts'
import { boundEntry } from '../adapters/mcp-client/checked-entry.ts'
import { mcpHarvester } from '../adapters/mcp-client/mcp-harvester.ts'
import type { Config } from '../config.ts'
import type { Enrichment } from '../domain/card.ts'
import { isJsonObject } from '../domain/json.ts'
import { contains } from '../domain/paths.ts'
import { indexSources } from '../indexing/index-sources.ts'
import { packageVersion } from '../package-version.ts'
import type { Audition } from './audition.ts'
import { bundledFolder, catalogFolder, filesFolder } from './folders.ts'
import { keptLines } from '../store/kept-lines.ts'
import { enricherOf } from './open-models.ts'
import { hostUserOf, readGuards } from './open-guards.ts'
import { type OpenStore, tooManyToRead, type WriteOptions } from './open-store.ts'

/** The part of the composition root that reads sources: files, addresses, and MCP servers within the user's guards. */
export function openIndexing(
  config: Config,
  { write, openUnasked }: OpenStore,
): Pick<Audition, 'index' | 'tryServer' | 'tryOwnEntry'> & { launchOf: Awaited<LaunchOf> } {
  const { environment } = config
  const unguarded = { catalogFolder, environment, version: packageVersion() }
  const launchOf: Awaited<LaunchOf> = (entry) => boundEntry(entry, { environment, catalogFolder })
  const harvesterFor = async (timeoutMs?: number) =>
    mcpHarvester({
      ...(await readGuards(config)),
      ...unguarded,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
  const orNever = (signal: AbortSignal | undefined) => signal ?? new AbortController().signal

  return {
    launchOf,
    async tryServer(entry, timeoutMs, signal) {
      const harvester = await harvesterFor(timeoutMs)
      return harvester.harvest(entry, orNever(signal))
    },
    async tryOwnEntry(entry, timeoutMs, signal) {
      const { server, tools } = await mcpHarvester({ ...unguarded, timeoutMs }).harvest(
        entry,
        orNever(signal),
      )
      return { name: server.name, version: server.version, tools: tools.length }
    },
    async index(options) {
      const started = performance.now()
      const { guard, followLinks } = await readGuards(config)
      const surroundings = {
        harvester: await harvesterFor(options.harvestTimeoutMs),
        launchOf,
        bundledFolder,
        user: hostUserOf(config),
        cwd: process.cwd(),
        fetchDocument: (url: string, signal: AbortSignal) => fetchDocument(url, signal, guard),
        label: shortPath,
        followLinks,
        enrichments: keptLines<Enrichment | null>(
          join(filesFolder(config), 'enrichments.jsonl'),
          ['hash', 'enrichment'],
          (value) => value === null || isEnrichment(value),
        ),
        ...(config.mostCards === undefined ? {} : { mostCards: config.mostCards }),
        ...(options.enrich ? { enricher: await enricherOf(config) } : {}),
      }
      const report = await write(writingOf(options), (writer) => indexSources(writer, surroundings, options))
      const seconds = (performance.now() - started) / 1000
      return { ...report, ...tooManyToRead(await openUnasked(), report), seconds }
    },
  }
}

type LaunchOf = ReturnType<Audition['launchOf']>

function writingOf({ dryRun, onProgress, signal }: Parameters<Audition['index']>[0]): WriteOptions {
  const tell = (what: string) => onProgress?.({ step: 'write', share: 0, what })
  return {
    intent: dryRun ? 'preview' : 'commit',
    onWait: ({ pid, host }) => tell(`waiting for process ${pid} on ${host}, which is indexing`),
    onOvertaken: () => tell('another process changed the same sources: reading again'),
    ...(signal ? { signal } : {}),
  }
}

/** Whether it has the form of what is written of a card. */
const isEnrichment = (value: unknown): boolean =>
  isJsonObject(value) &&
  [value.model, value.whenToUse, value.example].every((text) => typeof text === 'string') &&
  Array.isArray(value.tags) &&
  value.tags.every((tag) => typeof tag === 'string')

/** Relative to the working folder when that is shorter. */
const shortPath = (path: string): string => {
  const folder = process.cwd()
  return contains({ folder, path }) ? relative(folder, path) || '.' : path
}
