import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import type { MakeText } from '../probing/writing/schema-arguments.ts'

/** Values that a person would give, by words of the input's name: the first row that has one of them. */
const rows: readonly (readonly [words: string, values: readonly string[]])[] = [
  ['email mail recipient', ['mara.lind@example.org', 'tom.okafor@example.com']],
  ['domain host hostname', ['example.org', 'example.com']],
  ['country', ['Norway', 'Kenya', 'Portugal']],
  ['city town location place destination origin', ['Oslo', 'Nairobi', 'Porto']],
  ['address street', ['12 Harbour Street, Bergen', '4 Mill Lane, Cork']],
  ['timezone zone tz', ['Europe/Oslo', 'Africa/Nairobi']],
  ['language lang locale', ['German', 'Swahili', 'Portuguese']],
  ['currency', ['EUR', 'NOK', 'KES']],
  ['ticker stock', ['NVDA', 'EQNR']],
  ['phone', ['+47 22 85 50 00', '+254 20 222 0000']],
  ['repo repository', ['harbour-map', 'recipe-box']],
  ['owner org organization organisation workspace team', ['lindberg-labs', 'okafor-works']],
  ['branch ref', ['fix-login', 'spring-menu']],
  ['path filepath filename file', ['notes/trip.md', 'reports/march.csv']],
  ['folder directory dir', ['notes', 'reports']],
  ['channel room', ['#kitchen-orders', '#night-shift']],
  ['project', ['Harbour Map', 'Spring Menu']],
  ['date day when', ['2026-05-17', '2026-09-03']],
  ['time hour', ['14:30', '08:15']],
  ['company customer client vendor supplier', ['Lindberg Boats', 'Okafor Foods']],
  ['user username author assignee person attendee', ['Mara Lind', 'Tom Okafor']],
  [
    'title subject headline summary heading',
    ['Ferry leaves an hour later in winter', 'New opening hours from May'],
  ],
  ['tag label category topic', ['gardening', 'public transport']],
  ['query search keyword keywords term question', ['ferry timetable Bergen', 'how to prune apple trees']],
  [
    'text content contents body message comment description note notes input sentence prompt markdown',
    ['The ferry to Askøy leaves at 14:30 on Sundays.', 'Please bring two chairs and the blue box on Friday.'],
  ],
  ['product item ingredient', ['wool blanket', 'rye flour']],
  ['name', ['Luna', 'Nordlys']],
]
const valuesByWord = new Map(
  rows.flatMap(([words, values]) => words.split(' ').map((word) => [word, values] as const)),
)

/** A value for an input whose name tells what it is; none for ids and others that nobody could guess. The last word tells the most. */
export const everydayValue: MakeText = ({ pattern, minLength = 0, maxLength = 1000 }, random, name) => {
  const known = plainWords(name)
    .toReversed()
    .map((word) => valuesByWord.get(word) ?? valuesByWord.get(word.replace(/s$/, '')))
  const isMachineWord =
    /(?:^|[^a-z])(?:ids?|code|number|key|token|hash|uu?id)$|(?:Id|Code|Number|Key|Token|Hash)$/.test(name)
  const values = isMachineWord ? undefined : known.find(Boolean)
  if (values === undefined || pattern !== undefined) return undefined
  const fitting = values.filter(({ length }) => length >= Number(minLength) && length <= Number(maxLength))
  return fitting.length === 0 ? undefined : random.pick(fitting)
}
