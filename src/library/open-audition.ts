import { openAudition as compose } from '../compose/app.ts'
import type { Audition } from '../compose/audition.ts'
import type { Card } from '../domain/card.ts'
import type { TaskChoice } from '../probing/run/probing.ts'
import { type AuditionOptions, configOf } from './audition-options.ts'
import type { AuditionLibrary, ProbeOptions } from './audition-library.ts'
import { type ListedTool, type RankedTools, type RankOptions, rankWith, type ToolList } from './rank.ts'
import { RemedyError } from '../domain/remedy-error.ts'

/**
 * Opens Audition. Without an argument everything is as for the command `audition`: the same store, models and settings. Nothing is
 * loaded and no file touched before the first call.
 *
 * @throws Error when a number of threads is none
 */
export async function openAudition(options: AuditionOptions = {}): Promise<AuditionLibrary> {
  const audition = compose(configOf(options))
  return {
    search: (request, signal) => audition.search(request, signal),
    cards: (ids) => audition.cards(ids),
    index: (wanted) => audition.index({ harvest: 'agreed', ...wanted }),
    rank: (tools, query, how) => rankWith(audition, tools, query, how),
    plan: async ({ cards, tasks, ...call }) => {
      const known = await knownCards(audition, cards)
      return (await audition.probing()).plan({ ...call, cards: known, tasks: choiceOf(tasks) })
    },
    probe: async ({ cards, tasks, ...call }) => {
      const known = await knownCards(audition, cards)
      return (await audition.probing()).probe({ ...call, cards: known, tasks: choiceOf(tasks) })
    },
    evaluate: async ({ dataset, ...request }) =>
      (await audition.evaluations()).run({ ...request, dataset: { kind: 'place', place: dataset } }),
    close: () => audition.close(),
  }
}

/** By the model that ships, whatever the environment says: the same list and request give the same answer everywhere. */
const bundled = compose(configOf({ environment: {}, model: null }))

/**
 * Ranks a list of tools that lies in memory by the model that ships with the package. Needs no store, no setting and no network.
 *
 * @throws RemedyError when it is given no list of tools, or no request
 */
export const rank = <Tool extends ListedTool>(
  tools: ToolList<Tool>,
  query: string,
  options?: RankOptions,
): Promise<RankedTools<Tool>> => rankWith(bundled, tools, query, options)

function choiceOf(tasks: ProbeOptions['tasks'] = { kind: 'own', count: 3 }): TaskChoice {
  return 'kind' in tasks ? tasks : { kind: 'given', tasks }
}

/** @throws UnknownCardError */
async function knownCards(audition: Audition, wanted: ProbeOptions['cards']): Promise<readonly Card[]> {
  const ids = wanted.filter((one) => typeof one === 'string')
  const found = new Map((ids.length === 0 ? [] : await audition.cards(ids)).map((card) => [card.id, card]))
  const unknown = ids.find((id) => !found.has(id))
  if (unknown !== undefined) throw new UnknownCardError(unknown, await audition.closestIds(unknown, 3))
  return wanted.map((one) => (typeof one === 'string' ? found.get(one)! : one))
}

/** A card was asked for that is not in the index. */
export class UnknownCardError extends RemedyError {
  override readonly name = 'UnknownCardError'
  readonly id: string
  /** Ids that are in the index and look like it, best first; at most three. */
  readonly closest: readonly string[]
  constructor(id: string, closest: readonly string[]) {
    super(
      `No tool or agent "${id}" is in the index.`,
      closest.length === 0
        ? 'Take the id of a card that a search found.'
        : `Closest ids: ${closest.join(', ')}.`,
    )
    this.id = id
    this.closest = closest
  }
}
