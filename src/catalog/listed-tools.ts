import { isJsonObject } from '../domain/json.ts'
import type { Problem } from '../domain/problem.ts'
import type { ToolCard } from '../domain/card.ts'
import { toolDraft } from './harvest-cards.ts'

/** The source of cards that lie in no store. */
const source = 'list'

/** A card of a list, and which of its tools that is, from 0. */
type ListedCard = { readonly card: ToolCard; readonly place: number }

/**
 * Cards of tools in a list, as `tools/list` gives them or with less. The list may join those of several servers, so equal names
 * stay apart. A malformed tool is left out and reported; it may have no schema, which then is no news.
 */
export function cardsOfList(tools: readonly unknown[]): {
  readonly cards: readonly ListedCard[]
  readonly problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const cards = tools.flatMap((tool, place): readonly ListedCard[] => {
    const refuse = (path: string, message: string): void => {
      problems.push({ severity: 'error', file: source, field: `tools[${place}]${path}`, message, remedy })
    }
    if (!isJsonObject(tool)) {
      refuse('', 'is no object')
      return []
    }
    const draft = toolDraft(tool, {}, (severity, path, message) => {
      if (severity === 'error') refuse(path, message)
    })
    if (draft === undefined) return []
    // Equal scores stand by id, descending: so what comes first in the list stands first.
    const id = `${source}/${String(tools.length - place).padStart(9, '0')}`
    const provenance = { reader: 'tools-list', location: source }
    return [{ card: { ...draft, id, source, provenance }, place }]
  })
  return { cards, problems }
}

const remedy = 'Mend the tool, or leave it out of the list.'
