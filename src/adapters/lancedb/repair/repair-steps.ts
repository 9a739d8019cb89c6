import { namesInLine } from '../../../domain/text/names-in-line.ts'
import type { Outcome } from '../../../domain/outcome.ts'
import { countOf } from '../../../domain/text/count-of.ts'
import { shellWord } from '../../../domain/text/shell-word.ts'
import type { RepairStep } from '../../../store/diagnosis.ts'
import type { SourceState } from '../../../store/source-state.ts'
import { modelsTable, storeLayout } from '../schemas.ts'
import type { ExaminedCatalog } from './examine-catalog.ts'
import type { SalvagedRecord, SalvagedModels } from './salvage-record.ts'

const mend = (message: string): RepairStep => ({ kind: 'mend', message })
const tidy = (message: string): RepairStep => ({ kind: 'tidy', message })
const lost = (message: string, remedy: string): RepairStep => ({ kind: 'lost', message, remedy })
const remains = (message: string, remedy: string): RepairStep => ({ kind: 'remains', message, remedy })
const denial = (message: string): RepairStep => remains(message, 'Check who may read the store.')

export const staleLock = tidy('the lock of a process that is gone: the next run takes it over')
export const unfinished = mend('a repair that was cut short: finished, then the store is looked through')
/** @param strange - entries, relative to the store */
export const strangeSteps = (strange: readonly string[]): readonly RepairStep[] =>
  strange.map((entry) =>
    mend(`${entry} is not the file that belongs there: put aside, then the store is looked through`),
  )
export const abandoned = tidy('the folder of a repair that was cut short: removed')

const damageOf = ({ metaDamage, cardDamage, derivedDamage }: ExaminedCatalog): readonly string[] => [
  ...(metaDamage === null ? [] : [metaDamage]),
  ...cardDamage,
  ...derivedDamage,
]

const isOurs = ({ head }: ExaminedCatalog): boolean => head === null || head.layout <= storeLayout

const isDenied = (message: string): boolean => /permission denied/i.test(message)

/** Whether there is damage, and it is ours to mend: not a store of a newer Audition, or one that may not be read. */
export const isMendable = (catalog: ExaminedCatalog): boolean =>
  isOurs(catalog) && damageOf(catalog).length > 0 && !damageOf(catalog).some(isDenied)

/** Whether all of a commit is there. */
export const isWhole = (catalog: ExaminedCatalog): boolean =>
  catalog.head !== null && isOurs(catalog) && damageOf(catalog).length === 0

/** Whether a table beside the catalog is damaged, and may be read. */
export const isSideMendable = ({ damage }: SalvagedRecord | SalvagedModels): boolean =>
  damage !== null && !isDenied(damage)

/** What is wrong with a catalog, and what becomes of it. */
export function catalogSteps(
  catalog: ExaminedCatalog,
  toReadAgain: readonly SourceState[],
): readonly RepairStep[] {
  const { cards, states, metaDamage, cardDamage, derivedDamage, lostIds } = catalog
  if (!isOurs(catalog)) return [remains('the store was written by a newer Audition', 'Update Audition.')]
  const damage = damageOf(catalog)
  if (damage.length === 0) return []
  const denied = damage.find(isDenied)
  if (denied !== undefined) return [denial(denied)]
  return [
    ...[...(metaDamage === null ? [] : [metaDamage]), ...cardDamage].map((message) =>
      mend(`${message}: made anew from the ${cards.length} cards that can be read`),
    ),
    ...derivedDamage.map((message) => mend(`${message}: made anew from the cards`)),
    ...(metaDamage !== null && states.length === 0 ? [lostStates] : lostOfStates(catalog)),
    ...lostOfSources(toReadAgain, lostIds),
    ...lostOfUnknown(catalog),
  ]
}

const lostStates = lost(
  'what was known of sources and what you accepted of them, but for what their cards tell',
  'Run `audition index`.',
)

/** Of more sources than these one line is said. */
const mostSources = 8

/** Cards of sources that can be read again. */
function lostOfSources(sources: readonly SourceState[], lostIds: readonly string[]): readonly RepairStep[] {
  if (sources.length > mostSources)
    return [
      lost(
        `cards of ${sources.length} sources${namesOf(sources.map(({ id }) => id))}`,
        'The repair reads files and folders again; MCP servers are asked by: audition index',
      ),
    ]
  return sources.map((source) => {
    const names = namesOf(lostIds.filter((id) => id.startsWith(`${source.id}/`)))
    return lost(`cards of the source "${source.id}"${names}`, `They come back with: ${commandFor(source)}`)
  })
}

/** What is known of some sources, and what was decided of them, where neither the table nor its copy has it. */
function lostOfStates({ head, states, reviews, unread }: ExaminedCatalog): readonly RepairStep[] {
  const { sources: wanted = 0, reviews: held = 0 } = head?.states ?? {}
  return unread.length > 0 || states.length < wanted || reviews.length < held
    ? [lost(`what was known and accepted of sources${namesOf(unread)}`, 'Run `audition index`.')]
    : []
}

/** Cards of sources that nothing tells of any more. */
function lostOfUnknown({ states, metaDamage, cardDamage, lostIds }: ExaminedCatalog): readonly RepairStep[] {
  const known = new Set(states.map(({ id }) => id))
  const ids = lostIds.filter((id) => !known.has(id.slice(0, id.indexOf('/'))))
  const mayBeMore = metaDamage !== null && cardDamage.length > 0 && states.length === 0
  if (ids.length === 0 && !mayBeMore) return []
  const remedy = 'Index their folders and files again: audition index <folder or file>'
  return [lost(`cards of sources that are not known any more${namesOf(ids)}`, remedy)]
}

const mostNames = 20

/** Names behind a colon; the first of them when they are many. */
const namesOf = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : `: ${namesInLine(ids, mostNames)}`

/** What a person runs to have a source read again. Servers are those of hosts' configurations, and are asked there. */
const commandFor = ({ location, reader }: SourceState): string =>
  reader === 'mcp-server' ? 'audition index' : `audition index ${shellWord(location, process.platform)}`

/** What is wrong with a track record, and what becomes of it. */
export const recordSteps = (
  table: string,
  { damage, outcomes, lostIds, gone: versions }: SalvagedRecord,
  elsewhere: readonly Outcome[],
): readonly RepairStep[] => {
  if (damage === null) return []
  if (isDenied(damage)) return [denial(`the table "${table}": ${damage}`)]
  const known = new Set(outcomes.map(({ id }) => id))
  const added = new Set(elsewhere.flatMap(({ id }) => (known.has(id) ? [] : id))).size
  const inTranscripts = new Set(elsewhere.map(({ id }) => id))
  const gone = lostIds?.filter((id) => !inTranscripts.has(id)) ?? null
  const mended = mend(
    `the table "${table}": ${damage}: made anew from the ${known.size} outcomes that can be read and ${added} of transcripts`,
  )
  if (gone?.length === 0) return [mended]
  const which = `outcomes${versions === null ? '' : ` of ${versions},`} that could not be read and have no transcript${gone === null ? ', if there were any' : namesOf(gone)}`
  return [mended, lost(which, 'Import them, if you have them: audition record import <file>')]
}

/** What is wrong with what sources say of models, and what becomes of it. */
export const modelSteps = ({ damage, lists, lost: gone }: SalvagedModels): readonly RepairStep[] => {
  if (damage === null) return []
  const message = `the table "${modelsTable}": ${damage}`
  if (isDenied(damage)) return [denial(message)]
  return [
    mend(`${message}: made anew from the ${countOf(lists.length, 'list')} that can be read`),
    ...gone.map((source) =>
      lost(`what the source "${source.id}" says of models`, `It comes back with: ${commandFor(source)}`),
    ),
  ]
}

/** What is wrong beside the tables, and what becomes of it. */
export const besideSteps = (damage: readonly string[]): readonly RepairStep[] =>
  damage.map((message) => tidy(`${message}: made anew`))

/** What killed runs left, and what becomes of it. */
export function leftoverSteps({
  files,
  bytes,
}: {
  readonly files: number
  readonly bytes: number
}): readonly RepairStep[] {
  if (files === 0) return []
  const size = (bytes / 1024 / 1024).toFixed(1)
  return [tidy(`${countOf(files, 'file')} (${size} MB) of runs that did not end: rolled back and removed`)]
}
