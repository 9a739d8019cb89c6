import type { Card, CardKind } from '../../src/domain/card.ts'
import { analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../src/retrieval/ports.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'
import { inStory, type RequestForm } from '../../embeddings/trainer/src/ranker/request-forms.ts'
import { atLeast, type Bench, type Table } from '../bench.ts'
import { noModel, shippedModel } from '../static-model-folder.ts'
import { spread } from '../workplace.ts'
import { type VerdictQuery, type VerdictSet, verdictSets } from './verdict-sets.ts'

/** One request, asked with and without what serves it. */
type Asked = {
  readonly set: string
  readonly kind: CardKind
  readonly ranker: 'words' | 'learned'
  readonly catalog: string
  readonly form: RequestForm
  readonly words: number
  readonly isAnswered: boolean
  readonly isRefused: boolean
  /** That anything serves, with and without; undefined of words. */
  readonly likely: readonly [number | undefined, number | undefined]
}

/** Cards of catalogs mixed from all sets of the kind; a set's own and all there are come besides. */
const sizes = [20, 200, 2000, 20_000] as const

/** How often a request that is served is answered, and one that is not is told that probably nothing fits. */
export const verdict: Bench = {
  name: 'verdict',
  question:
    'How often is what is there answered, and what is not refused, on sets that nothing was chosen by?',
  async run({ data, quick, log }) {
    if (data === null) return { tables: [], notes: ['skipped: data not present'], floors: [] }
    const model = await shippedModel()
    if (model === null) return { tables: [], notes: [noModel], floors: [] }
    const sets = await verdictSets(data)
    const asked: Asked[] = []
    for (const { name, catalog, members } of catalogsOf(sets, quick ? 8 : 60)) {
      for (const withModel of [null, model]) {
        log(`verdict: ${name}, ${withModel === null ? 'words' : 'learned'}`)
        const snapshot = await memorySnapshot(catalog, withModel)
        for (const [set, queries] of members)
          for (const query of queries)
            asked.push(...(await ask(snapshot, withModel, { set, catalog: name, query })))
      }
    }
    await model.close()
    const learned = asked.filter(({ ranker }) => ranker === 'learned')
    const families = bySet(learned.filter(({ form }) => form === 'written')).filter(
      ([, of]) => of.length >= leastAsked,
    )
    const answered = families.map(([, of]) => share(of, ({ isAnswered }) => isAnswered))
    return {
      tables: [
        tableOf('By set', asked, ({ set }) => set),
        tableOf('By catalog', asked, ({ catalog }) => (catalog.startsWith('own') ? 'own' : catalog)),
        tableOf('By kind of card', asked, ({ kind, set }) =>
          set.endsWith('by server') ? 'whole servers' : kind,
        ),
        tableOf('By words of the request', asked, ({ words }) => bucketOf(words)),
        tableOf('By form of the request', asked, ({ form }) => form),
        curve(learned),
      ],
      notes,
      floors: [
        atLeast(
          `answered, worst of ${families.length} sets`,
          88,
          quick ? undefined : Math.min(...answered),
          '%',
        ),
        atLeast('answered, mean of the sets', 90, quick ? undefined : mean(answered), '%'),
      ],
    }
  },
}

const leastAsked = 50

const notes = [
  'Answered: of 100 requests that a card serves, those not told that probably nothing fits. Refused: of the same requests asked without the cards that serve them, those that are.',
  'What is left when the serving card is taken away is often its near relative, which may do as well: a share of what is not refused is no mistake.',
  'Stories put the request among 30 to 300 words of small talk and of other errands that are done.',
]

type Catalog = {
  readonly name: string
  readonly catalog: readonly Card[]
  readonly members: readonly (readonly [set: VerdictSet, queries: readonly VerdictQuery[]])[]
}

function* catalogsOf(sets: readonly VerdictSet[], perSet: number): Generator<Catalog> {
  for (const catalog of new Set(sets.map(({ cards }) => cards))) {
    const members = sets.filter(({ cards }) => cards === catalog)
    yield {
      name: `own ${members[0]!.name}`,
      catalog,
      members: members.map((set) => [set, spread(set.queries, perSet)]),
    }
  }
  for (const kind of ['tool', 'agent'] as const) {
    const own = sets.filter((set) => set.kind === kind)
    const all = [...new Map(own.flatMap(({ cards }) => cards).map((card) => [card.id, card])).values()]
    const random = seededRandom(1)
    const shuffled = all
      .map((card) => ({ card, place: random.uint32() }))
      .sort((a, b) => a.place - b.place)
      .map(({ card }) => card)
    for (const size of [...sizes, Number.POSITIVE_INFINITY]) {
      if (Number.isFinite(size) && size >= all.length) continue
      // A small catalog holds what serves a few requests only.
      const few = Math.max(1, Math.min(Math.ceil(perSet / 6), Math.floor(size / 40)))
      const drawn = own.map((set) => [set, spread(set.queries, few)] as const)
      const groups = size < 2000 ? drawn.map((member) => [member]) : [drawn]
      for (const members of groups) {
        const serving = new Set(members.flatMap(([, queries]) => queries.flatMap((query) => query.serving)))
        const needed = all.filter(({ id }) => serving.has(id))
        const catalog = [...new Set([...needed, ...shuffled.slice(0, Math.min(size, all.length))])]
        yield { name: `mixed, ${Number.isFinite(size) ? size : 'all'}`, catalog, members }
      }
    }
  }
}

async function ask(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel | null,
  { set, catalog, query }: { set: VerdictSet; catalog: string; query: VerdictQuery },
): Promise<readonly Asked[]> {
  const random = seededRandom(query.text.length)
  const story = (): string => inStory(query.text, [], () => random.uint32() / 2 ** 32)
  const asked: Asked[] = []
  for (const [form, text] of [
    ['written', query.text],
    ['story', story()],
  ] as const) {
    const { kind, name } = set
    const context = { snapshot, model }
    const there = await search(context, { kind, query: text })
    const gone = await search(context, { kind, query: text, filter: { exclude: query.serving } })
    asked.push({
      set: name,
      kind,
      catalog,
      form,
      ranker: model === null ? 'words' : 'learned',
      words: analyzeQuery(text).length,
      isAnswered: there.match !== 'none',
      isRefused: gone.match === 'none',
      likely: [there.likelihood, gone.likelihood],
    })
  }
  return asked
}

const lengths = [3, 10, 25, 80] as const
const bucketOf = (words: number): string => {
  const most = lengths.find((length) => words <= length)
  return most === undefined ? `over ${lengths.at(-1)}` : `up to ${most}`
}

const share = (of: readonly Asked[], says: (one: Asked) => boolean): number =>
  of.length === 0 ? Number.NaN : (100 * of.filter(says).length) / of.length
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const bySet = (asked: readonly Asked[]): readonly (readonly [string, readonly Asked[]])[] =>
  grouped(asked, ({ set }) => set)

function grouped(
  asked: readonly Asked[],
  key: (one: Asked) => string,
): readonly (readonly [string, readonly Asked[]])[] {
  const groups = new Map<string, Asked[]>()
  for (const one of asked) {
    const known = groups.get(key(one)) ?? []
    groups.set(key(one), known)
    known.push(one)
  }
  return [...groups]
}

function tableOf(title: string, asked: readonly Asked[], key: (one: Asked) => string): Table {
  const figures = (of: readonly Asked[], ranker: Asked['ranker']): string[] => {
    const own = of.filter((one) => one.ranker === ranker)
    return [share(own, ({ isAnswered }) => isAnswered), share(own, ({ isRefused }) => isRefused)].map(shown)
  }
  return {
    title: `${title}: answered and refused, %`,
    head: ['', 'requests', 'words answered', 'refused', 'learned answered', 'refused'],
    rows: grouped(asked, key).map(([name, of]) => [
      name,
      `${of.length / 2}`,
      ...figures(of, 'words'),
      ...figures(of, 'learned'),
    ]),
  }
}

const shown = (value: number): string => (Number.isNaN(value) ? '-' : value.toFixed(1))

/** What one threshold on the likelihood alone would do. */
function curve(learned: readonly Asked[]): Table {
  const below = (place: 0 | 1, limit: number): number =>
    share(learned, ({ likely }) => (likely[place] ?? 0) < limit)
  return {
    title: 'The curve: refused below a likelihood, learned ranker, all requests',
    head: ['likelihood below', 'answered %', 'refused %'],
    rows: [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8].map((limit) => [
      limit.toFixed(2),
      shown(100 - below(0, limit)),
      shown(below(1, limit)),
    ]),
  }
}
