import type { Card } from '../domain/card.ts'
import { copiesCard, namesCard } from '../evaluation/findability/copies-card.ts'
import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import { nounLikeVerbs, sureVerbs } from '../retrieval/query/steps/clause-words.ts'
import { scanCards } from '../trust/scan/scan-cards.ts'
import type { DropReason } from './generated-task.ts'
import type { TaskGround } from './ports.ts'
import { templatesName } from './templates.ts'

/** A fault of a text, and whether to write it once more may mend it. */
export type TextFault = { readonly reason: DropReason; readonly why: string }

/** Whether texts are written by a rule, and not by a model. */
export const isByRule = ({ writer }: TaskGround): boolean => writer.name === templatesName

/** Finds what makes texts unfit. @param alike - ids of the same thing, by each of them */
export function faultFinder(
  { job, names }: { readonly job?: string; readonly names: boolean },
  ground: TaskGround,
  alike: ReadonlyMap<string, readonly string[]>,
) {
  const { cards, execute } = ground
  const namedIn = nameFinder(cards.values())
  const withCopies = (some: readonly Card[]): readonly Card[] =>
    some.flatMap((card) => (alike.get(card.id) ?? []).flatMap((id) => cards.get(id) ?? []).concat(card))

  /** Whoever is run on a task may turn out to be who does it: of a job all candidates are. */
  const runOn = (targets: readonly Card[], others: readonly Card[]): readonly Card[] => {
    if (job !== undefined) return [...cards.values()]
    return execute === undefined ? targets : [...targets, ...others]
  }

  /** What makes a text unfit that asks for some cards, and was written with others in view; null when nothing does. */
  return (text: string, targets: readonly Card[], others: readonly Card[] = []): TextFault | null => {
    const finding = scanned(text)
    if (finding !== undefined) return { reason: 'suspicious', why: finding }
    const judged = withCopies(runOn(targets, others))
    const named = names ? undefined : namedIn(text, { judged, shown: others })
    if (named !== undefined) return { reason: 'names-a-card', why: `it names ${named}` }
    const copied = isByRule(ground) ? undefined : judged.find((card) => copiesCard(text, card))
    if (copied === undefined) return null
    return { reason: 'copies-the-card', why: `it has four words in a row of ${copied.id}` }
  }
}

/** What a model wrote after reading strangers' cards may be their words: it is scanned as they are. */
export function scanned(text: string): string | undefined {
  const provenance = { reader: 'tasks', location: '' }
  const named = { id: 'task', source: 'task', name: 'task', description: text, examples: [], tags: [] }
  const card: Card = { kind: 'tool', ...named, provenance, parameters: [] }
  return scanCards([card]).get('task')?.[0]?.message
}

/** What a text must not name: the cards that it asks for, and those that were shown beside them. */
type Nameable = { readonly judged: readonly Card[]; readonly shown: readonly Card[] }

/**
 * Finds names of cards in texts. Of the cards that a text asks for, and of their servers, the words of the name count. Of those shown
 * beside them only the name as it is written does, since its words may stand in any request. An id gives away any card.
 *
 * @param cards - all that is searched
 * @returns what finds the id or server that a text names; undefined when it names none
 */
function nameFinder(cards: Iterable<Card>) {
  const ids = new Set([...cards].map(({ id }) => id.toLowerCase()))
  return (text: string, { judged, shown }: Nameable): string | undefined => {
    const words = new Set(plainWords(text))
    const quoted = new Set(
      Array.from(text.matchAll(/[`"'“‘]([^`"'“”‘’\s]{1,80})[`"'”’]/gu), ([, one]) => one!.toLowerCase()),
    )
    const isSaid = (name: string, card: Card): boolean => {
      const own = plainWords(name)
      if (own.length !== 1) return namesCard(text, { ...card, name, title: '' })
      const [word = ''] = own
      if (quoted.has(word)) return true
      return words.has(word) && !sureVerbs.has(word) && !nounLikeVerbs.has(word) && !saidBy(card).has(word)
    }
    for (const card of judged) {
      if ([card.name, card.title ?? ''].some((name) => isSaid(name, card))) return card.id
      const server = card.kind === 'tool' ? card.server : undefined
      if (server !== undefined && isSaid(server, card)) return `the server ${server}`
      if (holdsWritten(text, card.source)) return `the source ${card.source}`
    }
    return shown.find(({ name }) => holdsWritten(text, name))?.id ?? idIn(text, ids)
  }
}

/** Words with which a card tells what it does: who says them need not know its name. */
const saidBy = ({ description, examples, ...card }: Card): ReadonlySet<string> => {
  const parts = card.kind === 'tool' ? card.parameters : card.tools
  const texts = [description, ...examples, ...parts.map((part) => `${part.name} ${part.description ?? ''}`)]
  return new Set(texts.flatMap(plainWords))
}

/** A name that no word of a language is, as it is written. */
const holdsWritten = (text: string, name: string): boolean =>
  /[^a-z]/i.test(name) && text.toLowerCase().includes(name.toLowerCase())

const idIn = (text: string, ids: ReadonlySet<string>): string | undefined =>
  (text.toLowerCase().match(/[^\s`"'“”‘’(),;<>]{3,}/gu) ?? [])
    .map((word) => word.replace(/[.:!?]$/u, ''))
    .find((word) => word.includes('/') && ids.has(word))
