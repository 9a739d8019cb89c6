import { join } from 'node:path'
import { schemaFaults } from '../../adapters/mcp-client/argument-faults.ts'
import type { Config } from '../../config.ts'
import type { ToolCard } from '../../domain/card.ts'
import { opener } from '../../domain/once.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { type TrackRecord, RuntimeError } from '../../probing/ports.ts'
import type { Transcripts } from '../../probing/record/transcripts.ts'
import { answersIn, keyOfJson } from '../../simulating/answers-file.ts'
import { faultsOf } from '../../simulating/faults.ts'
import { keepingCalls, realAnswer, probedAnswer } from '../../simulating/keep-calls.ts'
import type {
  AnswerStore,
  KeptAnswer,
  SimulatedServer,
  SimulateOptions,
  ToolImitator,
} from '../../simulating/ports.ts'
import { simulatedServerOf } from '../../simulating/simulated-server.ts'
import type { Audition } from '../audition.ts'
import { filesFolder, catalogFolder } from '../folders.ts'
import { toolCardsOf } from '../search-among.ts'
import { languageModelOf } from '../language-models.ts'
import { transcriptsOf, simulatedTranscriptsOf } from '../open-record.ts'
import { profileRuntime } from '../../adapters/ai-sdk/agents/runtimes.ts'
import { simulatedSession } from '../../adapters/mcp-client/simulated-session.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import type { JudgePanel } from '../../probing/judges/combine-judges.ts'
import type { Probing } from '../../probing/run/probing.ts'
import { executorOf } from '../../probing/runtime-kind.ts'
import {
  simulatedPermit,
  simulatedToolExecutor,
  onSimulatedServers,
  runByOthers,
} from '../../simulating/simulated-tool.ts'
import { knownServers } from '../../trust/review/known-servers.ts'
import { surroundingsFor } from '../open-executors.ts'
import { pinnedCatalog } from '../open-pinned-catalog.ts'
import { openProbes } from '../open-probes.ts'
import type { OpenStore } from '../open-store.ts'

/** Opens servers that stand for those of the index. */
export function openSimulating(
  config: Config,
  app: Pick<Audition, 'cards' | 'completeIds' | 'sources' | 'calling' | 'record'>,
) {
  const stores = new Map<string, Promise<AnswerStore>>()
  const openStore = async (source: string): Promise<AnswerStore> =>
    answersIn(fileOf(config, source), await probedAnswers(source, await app.record(), transcriptsOf(config)))
  const storeOf = (source: string): Promise<AnswerStore> => {
    const opened = stores.get(source) ?? openStore(source)
    stores.set(source, opened)
    return opened
  }
  return {
    keptCalling: opener(async () => keepingCalls(await app.calling(), storeOf)),
    async server(server: string, options: SimulateOptions = {}): Promise<SimulatedServer> {
      const { mode = 'simulate', faults, seed, model = true } = options
      const tools = await toolsOf(app, server)
      const store = await storeOf(server)
      return simulatedServerOf({
        source: server,
        tools,
        store,
        mode,
        imitator: mode === 'simulate' && model ? await imitatorOf(config) : null,
        ...(faults === undefined ? {} : { faults: typeof faults === 'string' ? faultsOf(faults) : faults }),
        ...(seed === undefined ? {} : { seed }),
        faultsOf: schemaFaults,
        real: async (card, args, signal = new AbortController().signal) =>
          realAnswer(await (await app.calling()).call({ card, args, mayChange: true, signal })),
      })
    },
  }
}

const fileOf = (config: Config, source: string): string =>
  join(
    filesFolder(config),
    'simulated',
    `${source.replace(/[^\w.-]/g, '_').slice(0, 60)}-${keyOfJson(source).slice(0, 8)}.jsonl`,
  )

async function imitatorOf(config: Config): Promise<ToolImitator | null> {
  const languageModel = await languageModelOf(config)
  if (languageModel === null) return null
  const { toolImitator } = await import('../../adapters/ai-sdk/judge/tool-imitator.ts')
  return toolImitator(languageModel)
}

/** Probes that are looked at, the newest. */
const mostProbes = 1_000

/** What probes of the real tools gave, oldest first. */
async function probedAnswers(
  source: string,
  record: TrackRecord,
  transcripts: Pick<Transcripts, 'read'>,
): Promise<readonly KeptAnswer[]> {
  const outcomes = await record.list({ kind: 'tool', withoutUses: true })
  const own = outcomes.filter(({ card }) => card.startsWith(`${source}/`)).slice(0, mostProbes)
  const found = await Promise.all(own.map(({ id }) => transcripts.read(id).catch(() => null)))
  return found
    .flatMap((transcript) => (transcript === null ? [] : (probedAnswer(transcript) ?? [])))
    .reverse()
}

/** Its tools in the order of their names, each name once. @throws RemedyError when it has none */
async function toolsOf(
  app: Pick<Audition, 'cards' | 'completeIds' | 'sources'>,
  server: string,
): Promise<readonly ToolCard[]> {
  const tools = await toolCardsOf(app, server)
  if (tools.length > 0) return [...new Map(tools.map((card) => [card.name, card])).values()]
  const known = (await app.sources()).map(({ id }) => id)
  const like = closestIds(known, server, 3).map((id) => `"${printableLine(id)}"`)
  throw new RemedyError(
    `No server "${printableLine(server)}" with tools is in the index.`,
    `${like.length === 0 ? '' : `Closest: ${like.join(', ')}. `}\`audition sources\` lists them, \`audition index\` adds one.`,
  )
}

type SimulatedParts = {
  readonly openRecord: () => Promise<TrackRecord>
  readonly openJudge: () => Promise<JudgePanel>
  readonly serverOf: (source: string) => Promise<SimulatedServer>
}

/**
 * Probing on simulated tools: tools themselves, and profiles whose servers are simulated. Outcomes go to a ledger of their own, and what told
 * candidates apart is not learned from.
 */
export function openSimulatedProbes(config: Config, store: OpenStore, parts: SimulatedParts): Probing {
  const { serverOf, ...judged } = parts
  const pinned = pinnedCatalog(store.openReader, store.onSnapshot)
  const openSession = async (entry: McpServerEntry) => {
    const [known] = await knownServers(entry, entry.name, pinned)
    if (known !== undefined) return simulatedSession(await serverOf(known.source))
    throw new RuntimeError(
      `The index has no tools of the server "${entry.name}", so that it cannot be simulated.`,
      'Run `audition index` on a configuration that has it.',
    )
  }
  const { probe, audition, plan, run, ...probing } = openProbes(config, store, {
    ...judged,
    openSimulatedRecord: judged.openRecord,
    simulated: {
      executors(settings) {
        const { pinned: _all, ...surroundings } = surroundingsFor({ config, catalogFolder, settings, pinned })
        return [
          simulatedToolExecutor(serverOf),
          onSimulatedServers(executorOf(profileRuntime, { ...surroundings, openSession })),
          runByOthers,
        ]
      },
      transcripts: simulatedTranscriptsOf(config),
      keptProbes: { of: async () => [], learn: async () => {} },
    },
  })
  const allowed = <Call extends { readonly allow?: Parameters<Probing['plan']>[0]['allow'] }>(
    call: Call,
  ) => ({
    ...call,
    allow: [...(call.allow ?? []), `${simulatedPermit}*`],
  })
  return {
    ...probing,
    probe: (call) => probe(allowed(call)),
    audition: (call) => audition(allowed(call)),
    plan: (call) => plan(allowed(call)),
    run: (call) => run(allowed(call)),
  }
}
