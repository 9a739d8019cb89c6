import { type Bench, fixed, type Table } from '../bench.ts'
import { type Measured, measure } from '../million/million.ts'
import { median } from '../statistics.ts'
import { hasModel, noModel } from '../static-model-folder.ts'
import { prices } from './machines.ts'
import { assumed, breaksFirst, type Costs, costsOf, type Plan, planOf } from './plan.ts'

const scenarios = [
  { cards: 100_000, hosts: 10 },
  { cards: 1_000_000, hosts: 100 },
  { cards: 10_000_000, hosts: 1_000 },
] as const

/** What no machine here can hold, out of what it can: measured at two sizes, and simulated. */
export const fleet: Bench = {
  name: 'fleet',
  question:
    'On paper: what do ten million cards and a thousand hosts need, what does it cost, and what breaks first?',
  async run(workplace) {
    // Changes of a commit lie in five sources of 2,000 cards.
    const sizes = [10_000, Math.max(20_000, workplace.cards ?? (workplace.quick ? 20_000 : 50_000))] as const
    const [few, many] = [await measure(workplace, sizes[0]), await measure(workplace, sizes[1])]
    const costs = costsOf({ cards: sizes[0], measured: few }, { cards: sizes[1], measured: many })
    workplace.log('fleet: simulating')
    const plans = scenarios.map(({ cards, hosts }) => planOf(costs, cards, hosts))
    return {
      tables: [
        constantsTable(costs, { sizes, few, many }),
        needsTable(plans),
        costTable(plans),
        breaksTable(costs, scenarios.at(-1)!.hosts),
      ],
      notes: [
        `Assumed: a host begins ${assumed.tasksAnHour} tasks an hour with ${assumed.searchesOfTask} searches each, all hosts at work in the same ${assumed.workingHours} hours of a day; ${assumed.commitsAnHour} commits an hour of 1,000 changed cards; a replica looks for news every ${1 / assumed.looksASecond} seconds, by one request.`,
        'Measured at the two sizes of the first table, by the build that lies here, and grown: a fixed part, and one for each card. Times are those of a processor, since other work may share the machine. Ten million is far beyond what was measured: read these as orders of magnitude.',
        'Simulated event by event: one busy hour, tasks at random, the proxy gives a search to the replica with the fewest open ones, and a commit takes a thread of each replica as long as a start does.',
        `Dollars are list prices of one provider (bench/fleet/machines.ts), ${prices.hoursOfMonth} hours a month, nothing reserved.`,
        ...(hasModel ? [] : [noModel]),
      ],
      floors: [],
    }
  },
}

type Sizes = { readonly sizes: readonly [number, number]; readonly few: Measured; readonly many: Measured }

function constantsTable(costs: Costs, { sizes, few, many }: Sizes): Table {
  const million = 1e6
  const row = (what: string, value: (measured: Measured) => number, at: number): readonly string[] => [
    what,
    ...[value(few), value(many), at].map(fixed),
  ]
  return {
    title: 'Measured, and grown to a million',
    head: ['what', ...sizes.map((size) => size.toLocaleString('en')), '1,000,000'],
    rows: [
      row(
        'memory of a search without garbage, MB',
        ({ pass }) => pass.heldBytes / 1e6,
        (costs.resident.at(million) - costs.resident.at(sizes[1]) + many.pass.heldBytes) / 1e6,
      ),
      row('store, MB', ({ storeBytes }) => storeBytes / 1e6, costs.store.at(million) / 1e6),
      row(
        'one search, processor ms, p50',
        ({ pass }) => median(pass.processorMilliseconds),
        costs.search.at(million) * 1e3,
      ),
      row(
        'start to the first answer, processor s',
        ({ firstProcessorMs }) => firstProcessorMs / 1e3,
        costs.open.at(million),
      ),
      row('first index, processor s', ({ first }) => first.processorSeconds, costs.firstIndex.at(million)),
      row('commit of 1,000, processor s', ({ commit }) => commit.processorSeconds, costs.commit.at(million)),
      row(
        'commit of 1,000, written MB',
        ({ commit }) => commit.writtenBytes / 1e6,
        costs.written.at(million) / 1e6,
      ),
    ],
  }
}

const counted = (value: number): string => Math.round(value).toLocaleString('en')
const labelOf = ({ cards, hosts }: Plan): string => `${counted(cards)} cards, ${counted(hosts)} hosts`

const needsTable = (plans: readonly Plan[]): Table => ({
  title: 'What they need in the busy hour',
  head: [
    'catalog',
    'searches/s',
    'memory GB',
    'machine',
    'replicas',
    'busy %',
    'p99 ms',
    'from storage MB/s',
    'answers MB/s',
    'indexing, cores',
  ],
  rows: plans.map((plan) => [
    labelOf(plan),
    fixed(plan.hour.searches / 3_600),
    fixed(plan.residentBytes / 2 ** 30),
    plan.machine?.name ?? 'none holds it',
    String(plan.fleet.replicas),
    fixed(plan.hour.busy * 100),
    fixed(plan.p99 * 1e3),
    fixed(plan.fetchedASecond / 1e6),
    fixed(plan.answersASecond / 1e6),
    fixed(plan.indexing),
  ]),
})

function costTable(plans: readonly Plan[]): Table {
  const parts = Object.keys(plans[0]!.dollars)
  return {
    title: 'Dollars a month',
    head: ['catalog', ...parts, 'all'],
    rows: plans.map((plan) => [
      labelOf(plan),
      ...parts.map((part) => counted(plan.dollars[part]!)),
      counted(Object.values(plan.dollars).reduce((sum, dollars) => sum + dollars, 0)),
    ]),
  }
}

const breaksTable = (costs: Costs, hosts: number): Table => ({
  title: `What breaks first as cards are added, ${counted(hosts)} hosts`,
  head: ['what', 'limit', 'cards'],
  rows: breaksFirst(costs, hosts).map(({ what, limit, cards }) => [
    what,
    limit,
    Number.isFinite(cards) && cards < 1e9
      ? counted(Number(cards.toPrecision(2)))
      : 'never, below 1,000,000,000',
  ]),
})
