import { errorText } from '../../domain/remedy-error.ts'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Benchmarks } from '../../evaluation/datasets/recipes.ts'
import type { Evaluations } from '../../evaluation/evaluations.ts'
import { openEvaluations } from '../../evaluation/open-evaluations.ts'
import { packageRoot } from '../../package-root.ts'
import { packageVersion } from '../../package-version.ts'
import { filesFolder } from '../folders.ts'
import { loadPart, MissingPartError } from '../parts/load-part.ts'
import { type OpenStore, openStore } from '../open-store.ts'
import { cardsOfList } from '../../catalog/harvest-cards.ts'
import { languageModelOf } from '../language-models.ts'
import { LanguageModelError } from '../../evaluation/evaluation-settings.ts'
import {
  findability,
  type FindabilityGround,
  type FindabilityRequest,
} from '../../evaluation/findability/findability.ts'
import { generatedRequests } from '../../evaluation/findability/generate-requests.ts'
import { joinedRequests, type ToolRequest } from '../../evaluation/findability/tool-requests.ts'
import { typicalCatalog } from '../../evaluation/findability/own-tools.ts'
import type { SearchedTool } from '../../evaluation/host-rankers/host-ranker.ts'
import { hostRankers } from '../../evaluation/host-rankers/host-rankers.ts'
import { writeQueries } from '../../evaluation/findability/copies-card.ts'
import type { Audition } from '../audition.ts'
import { searchAmong } from '../search-among.ts'

/** The part of the composition root that knows what evaluations measure, and where published benchmarks come from. */
export function openEvaluating(
  config: Config,
  { onWhole, modelFor, openModel, openCrossEncoder, openRerankers }: OpenStore,
  fetch: typeof globalThis.fetch,
): Evaluations {
  return openEvaluations({
    folder: filesFolder(config),
    bundledFolder: join(packageRoot, 'evals'),
    benchmarks,
    downloads: join(config.downloads ?? config.cache, 'datasets'),
    fetch,
    openModel,
    modelIs: config.model === null ? 'shipped' : 'chosen',
    openCrossEncoder,
    openRerankers,
    onIndex: (use) => onWhole(async (snapshot) => use(snapshot, await modelFor(snapshot))),
  })
}

async function benchmarks(): Promise<Benchmarks> {
  try {
    return await loadPart('audition-benchmarks', packageVersion())
  } catch (error) {
    if (!(error instanceof MissingPartError)) throw error
    return { recipes: [], missing: errorText(error) }
  }
}

/** The part of the composition root that ranks as hosts do: ours by the model that ships, which other people's hosts have. */
export function openFindability(
  config: Config,
  fetch: typeof globalThis.fetch,
): Pick<Audition, 'findability' | 'close'> {
  const shipped = openStore({ ...config, model: null, reader: null, reranker: null }, fetch)
  const rankers = hostRankers((cards, request) => searchAmong(cards, { request, signal: undefined }, shipped))
  return {
    async findability({ tools, hosts, among, requests, signal, onProgress }) {
      return findability({
        tools,
        ...(await askedOf(tools, { requests, signal }, config)),
        among: typeof among === 'string' ? (among === 'none' ? [] : typical()) : among,
        rankers: hosts === undefined ? rankers : rankers.filter(({ name }) => hosts.includes(name)),
        ...(signal === undefined ? {} : { signal }),
        ...(onProgress === undefined ? {} : { onProgress }),
      })
    },
    close: () => shipped.close(),
  }
}

const typical = () => typicalCatalog(join(packageRoot, 'evals', 'typical', 'tools.jsonl'))

async function askedOf(
  tools: readonly SearchedTool[],
  { requests, signal }: { readonly [Name in 'requests' | 'signal']: FindabilityRequest[Name] | undefined },
  config: Config,
): Promise<Pick<FindabilityGround, 'requests' | 'written'>> {
  const ofEach = (each: (tool: SearchedTool, index: number) => readonly string[]): readonly ToolRequest[] =>
    joinedRequests(
      tools.flatMap((tool, index) => each(tool, index).map((text) => ({ text, tools: [index] }))),
    )
  if (requests === undefined) return { requests: ofEach(generatedRequests), written: 'generated' }
  if (!('perTool' in requests)) return { requests, written: 'given' }
  const languageModel = await languageModelOf(config)
  if (languageModel === null)
    throw new LanguageModelError(
      'No language model is configured to write requests.',
      'Set AUDITION_LLM, for example ollama:qwen3:8b, or leave out --written.',
    )
  const { queryWriter } = await import('../../adapters/ai-sdk/judge/query-writer.ts')
  const cards = cardsOfList(tools).cards.map(({ card }) => card)
  const written = await writeQueries(queryWriter(languageModel), cards, { perCard: requests.perTool, signal })
  return { requests: ofEach((_, index) => written.get(cards[index]!.id) ?? []), written: 'by a model' }
}
