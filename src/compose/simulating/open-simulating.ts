import { join } from 'node:path'
import { schemaFaults } from '../../adapters/mcp-client/argument-faults.ts'
import type { Config } from '../../config.ts'
import type { ToolCard } from '../../domain/card.ts'
import { opener } from '../../domain/once.ts'
import { closestIds } from '../../domain/text/closest-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import type { TrackRecord } from '../../probing/ports.ts'
import type { Transcripts } from '../../probing/record/transcripts.ts'
import { answersIn, keyOfJson } from '../../simulating/answers-file.ts'
import { faultsOf } from '../../simulating/faults.ts'
import { keepingCalls, realAnswer } from '../../simulating/keep-calls.ts'
import { probedAnswer } from '../../simulating/probed-answer.ts'
import type {
  AnswerStore,
  KeptAnswer,
  SimulatedServer,
  SimulateOptions,
  ToolImitator,
} from '../../simulating/ports.ts'
import { simulatedServerOf } from '../../simulating/simulated-server.ts'
import type { Audition } from '../audition.ts'
import { filesFolder } from '../folders.ts'
import { languageModelOf } from '../language-models.ts'
import { transcriptsOf } from '../open-record.ts'

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
        ...{ source: server, tools, store, mode },
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

const mostTools = 10_000

/** Its tools in the order of their names, each name once. @throws RemedyError when it has none */
async function toolsOf(
  app: Pick<Audition, 'cards' | 'completeIds' | 'sources'>,
  server: string,
): Promise<readonly ToolCard[]> {
  const ids = await app.completeIds(`${server}/`, mostTools, 'tool')
  const tools = (await app.cards(ids)).filter(
    (card): card is ToolCard => card.kind === 'tool' && card.source === server,
  )
  if (tools.length > 0) return [...new Map(tools.map((card) => [card.name, card])).values()]
  const known = (await app.sources()).map(({ id }) => id)
  const like = closestIds(known, server, 3).map((id) => `"${printableLine(id)}"`)
  throw new RemedyError(
    `No server "${printableLine(server)}" with tools is in the index.`,
    `${like.length === 0 ? '' : `Closest: ${like.join(', ')}. `}\`audition sources\` lists them, \`audition index\` adds one.`,
  )
}
