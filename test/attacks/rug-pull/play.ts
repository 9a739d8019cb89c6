import type { SourceReview } from '../../../src/store/source-review.ts'
import type { Card } from '../../../src/domain/card.ts'
import type { Change } from './changes.ts'
import type { ServerSays } from './notes-server.ts'

/** An Audition with one server, which says what it is told to. */
export type Stage = {
  say(server: ServerSays): Promise<void> | void
  index(): Promise<void>
  /** All cards in search. */
  cards(): Promise<readonly Card[]>
  /** The review of the server's source. */
  review(): Promise<SourceReview | undefined>
  /** Ids of tools found for a need, best first. */
  search(query: string): Promise<readonly string[]>
}

/** What happened when a change was played. */
export type Played = {
  readonly change: Change
  /** Cards that are held at the end, by why. */
  readonly held: readonly { readonly id: string; readonly because: string }[]
  /** What is in search at the end and was not before, and the other way round. */
  readonly came: readonly string[]
  readonly left: readonly string[]
  /** Cards in search that say something else than before. */
  readonly altered: readonly string[]
  /** Tools of before that are found by their own words no more. */
  readonly lost: readonly string[]
  /** Another index run over the same server changed nothing. */
  readonly isStable: boolean
}

/** Cards whose own words are searched for, of many: those that matter, and a few more. */
const searched = 8

/** Takes the server's cards, lets it change, and looks what became of them. */
export async function playChange(change: Change, stage: Stage): Promise<Played> {
  await stage.say(change.before)
  await stage.index()
  const before = byId(await stage.cards())
  for (const step of change.steps) {
    await stage.say(step)
    await stage.index()
  }
  const after = byId(await stage.cards())
  const review = await stage.review()
  await stage.index()
  const again = byId(await stage.cards())
  const reviewAgain = await stage.review()

  const held = (review?.held ?? []).map(({ card, change: kind, findings }) => ({
    id: card.id,
    because: [kind ?? '', ...new Set(findings.map(({ rule }) => rule))]
      .filter((part) => part !== '')
      .join(', '),
  }))
  const touched = new Set((review?.held ?? []).flatMap(({ replaces }) => replaces ?? []))
  const tools = [...before.values()].filter(
    ({ kind, name }) => kind === 'tool' && change.leaves?.includes(name) !== true,
  )
  const asked = [...tools.filter(({ id }) => touched.has(id)), ...tools].slice(0, searched)
  const lost: string[] = []
  for (const { id, name, description } of asked) {
    if (!(await stage.search(`${name} ${description}`)).includes(id)) lost.push(id)
  }
  return {
    change,
    held,
    came: [...after.keys()].filter((id) => !before.has(id)),
    left: [...before.keys()].filter((id) => !after.has(id)),
    altered: [...after].flatMap(([id, card]) =>
      before.has(id) && said(card) !== said(before.get(id)!) ? [id] : [],
    ),
    lost,
    isStable:
      sameCards(after, again) &&
      JSON.stringify(review?.held ?? []) === JSON.stringify(reviewAgain?.held ?? []),
  }
}

/** Whether a change did what it must, in a word for a table: empty when it did. */
export function faultOf({ change, held, came, left, altered, lost, isStable }: Played): string {
  const named = (ids: readonly string[]) => ids.map((id) => id.slice(id.indexOf('/') + 1)).sort()
  const differs = (ids: readonly string[], names: readonly string[] = []) =>
    JSON.stringify(named(ids)) !== JSON.stringify([...names].sort())
  // A server that gave up or got a tool says so in the list of its tools: that one card may differ.
  const isOwner = (id: string) =>
    change.leaves !== undefined && id.slice(id.indexOf('/') + 1) === id.slice(0, id.indexOf('/'))
  const faults = [
    change.kind === 'hostile' && held.length === 0 ? 'not held' : '',
    change.kind === 'harmless' && held.length > 0 ? 'held' : '',
    differs(left, change.leaves) ? `left search: ${left.join(' ')}` : '',
    differs(came, change.comes) ? `came into search: ${came.join(' ')}` : '',
    change.kind === 'hostile' && altered.some((id) => !isOwner(id)) ? `altered: ${altered.join(' ')}` : '',
    lost.length > 0 ? `not found: ${lost.join(' ')}` : '',
    isStable ? '' : 'not stable',
  ]
  return faults.filter((fault) => fault !== '').join('; ')
}

const byId = (cards: readonly Card[]): ReadonlyMap<string, Card> =>
  new Map(cards.map((card) => [card.id, card]))

/** What a card says; the order in which an agent lists its tools is no matter. */
function said({ provenance: _, flags: _flags, ...rest }: Card): string {
  if (rest.kind === 'tool') return JSON.stringify(rest)
  return JSON.stringify({ ...rest, tools: [...rest.tools].sort((a, b) => (a.name < b.name ? -1 : 1)) })
}

const sameCards = (a: ReadonlyMap<string, Card>, b: ReadonlyMap<string, Card>): boolean =>
  a.size === b.size && [...a].every(([id, card]) => b.has(id) && said(card) === said(b.get(id)!))
