import type { ToolCard } from '../src/domain/card.ts'
import { seededRandom } from '../src/evaluation/statistics/seeded-random.ts'
import { memorySnapshot } from '../src/retrieval/memory-snapshot.ts'
import { type RecordIndex, recordIndex } from '../src/retrieval/record/record-index.ts'
import { type UseSettings, useDefaults } from '../src/retrieval/record/use-index.ts'
import { search } from '../src/retrieval/search/search.ts'
import type { IndexedOutcome } from '../src/retrieval/record/record-index.ts'

/** Needs, and makers who each publish a tool for every need in words of their own. */
const verbs = ['list', 'find', 'export', 'archive', 'translate', 'compare', 'schedule', 'summarise']
const things = [
  'invoices',
  'meetings',
  'contracts',
  'parcels',
  'recipes',
  'sensors',
  'tickets',
  'lectures',
  'payrolls',
  'blueprints',
]
const makers = ['acorn', 'birch', 'cedar', 'dogwood', 'elm']
/** 400 tools: five for each of 80 needs. */
const needs = verbs.flatMap((verb) => things.map((thing) => ({ verb, thing })))

/** The ways in which tools are broken. */
const broken = ['dead server', 'always an error', 'slow', 'empty result', 'wrong schema'] as const
type State = (typeof broken)[number] | 'sound'

const share = 0.2

/** Each maker says more beside it than the one before, so that the five match less and less well. */
const besides = [
  '',
  'in an account, with a filter',
  'of a team by owner or day, in any order, with a filter and a limit; answers come in pages',
  'and much else: notices, labels, colours, members, rights, history, comments, links and files of every kind',
  'where the plan of the account includes it; ask the owner of the workspace for a key, a quota and a region first',
]

const cards: readonly ToolCard[] = needs.flatMap(({ verb, thing }) =>
  makers.map((maker, at) => ({
    ...({ kind: 'tool', id: `${maker}/${verb}_${thing}`, source: maker } as const),
    name: at < 3 ? `${verb}_${thing}` : thing,
    description: `${verb} ${thing} ${besides[at]}`.trim(),
    examples: [],
    tags: [],
    parameters: [],
    annotations: { readOnly: true },
    provenance: { reader: 'replay', location: 'replay' },
  })),
)

/** What the search gives for each need without a record, by need: ids and scores, best first. */
export async function rankingsBefore() {
  const snapshot = await memorySnapshot(cards)
  return Promise.all(
    needs.map(async ({ verb, thing }) => {
      const request = { kind: 'tool', query: `${verb} the ${thing}`, k: 20, pack: 'ranking' } as const
      const { candidates } = await search({ snapshot, model: null }, request)
      return candidates.map(({ card, score }) => ({ id: card.id, score }))
    }),
  )
}

type Rankings = Awaited<ReturnType<typeof rankingsBefore>>

/** What a replay came to. */
export type Replay = {
  /** Broken tools among the first places. */
  readonly before: number
  readonly after: number
  /** Sound tools that stand further back than before. */
  readonly fallen: number
}

/**
 * Which of 400 tools are broken is drawn, every tool is used so often, and the rankings are made again.
 *
 * @param uses - of each tool
 */
export function replay(
  rankings: Rankings,
  { seed, uses }: { readonly seed: number; readonly uses: number },
  settings: UseSettings = useDefaults,
): Replay {
  const { uint32 } = seededRandom(seed)
  const random = (): number => uint32() / 2 ** 32
  const states = new Map(
    cards.map(({ id }): [string, State] => [
      id,
      random() < share ? broken[Math.floor(random() * broken.length)]! : 'sound',
    ]),
  )
  const record = recordOf(states, uses, random)
  const counts = { before: 0, after: 0, fallen: 0 }
  for (const ranking of rankings) {
    const after = ranking
      .map(({ id, score }) => ({ id, score: score * record.uses.availability(id, 'tool', settings) }))
      .sort((a, b) => b.score - a.score)
    const isBroken = (one: { readonly id: string } | undefined): boolean =>
      one !== undefined && states.get(one.id) !== 'sound'
    counts.before += isBroken(ranking[0]) ? 1 : 0
    counts.after += isBroken(after[0]) ? 1 : 0
    counts.fallen += ranking.filter(
      ({ id }, place) => states.get(id) === 'sound' && after.findIndex((one) => one.id === id) > place,
    ).length
  }
  return counts
}

function recordOf(states: ReadonlyMap<string, State>, uses: number, random: () => number): RecordIndex {
  const index = recordIndex(null)
  const time = Date.parse('2026-11-01T00:00:00Z')
  index.add(
    [...states].flatMap(([card, state]) =>
      Array.from({ length: uses }, (_, at) => ({
        id: `${card} ${at}`,
        card,
        cardHash: '',
        task: '',
        isUse: true,
        grade: null,
        vector: null,
        time: time + at * 3_600_000,
        ...useOf({ card, state }, random),
      })),
    ),
  )
  return index
}

/** How often a sound search rightly finds nothing. */
const findsNothing = 0.2

/** One use, as calls end: what is misshapen has failed, and what the caller asked wrongly says nothing. */
function useOf(
  { card, state }: { readonly card: string; readonly state: State },
  random: () => number,
): Pick<IndexedOutcome, 'ending' | 'seconds'> {
  const chance = random()
  if (state === 'empty result') return { ending: 'empty', seconds: random() }
  if (state === 'slow')
    return chance < 0.3
      ? { ending: 'limit', seconds: 60 }
      : { ending: 'answered', seconds: 25 + 30 * random() }
  if (state !== 'sound') return { ending: 'failed', seconds: random() }
  if (chance < 0.1) return { ending: 'cancelled', seconds: 0.1 }
  if (chance < 0.14) return { ending: 'failed', seconds: 0.5 }
  if (chance < 0.15) return { ending: 'limit', seconds: 60 }
  const isEmpty = /\/(?:find|list)_/.test(card) && random() < findsNothing
  return { ending: isEmpty ? 'empty' : 'answered', seconds: 0.2 + 4 * random() ** 2 }
}
