import type { Card } from '../../domain/card.ts'
import { partedCase } from '../../domain/text/word-rules.ts'

const longestDescription = 420
const mostNames = 8

/**
 * What a reader reads of a card: "server: name: description (parameter, parameter)"; of an agent its tools stand in place of
 * parameters. Readers are trained on this text: it changes with a new format of reader only.
 */
export function cardText(card: Card): string {
  const names = card.kind === 'tool' ? card.parameters.filter(isOutermost) : card.tools
  const listed = names.slice(0, mostNames).map(({ name }) => spaced(name))
  const description = singleSpaced(descriptionOf(card).slice(0, longestDescription))
  return `${headOf(card)}: ${description}${listed.length > 0 ? ` (${listed.join(', ')})` : ''}`
}

/** The name, behind that of its server where it does not say it itself. */
function headOf(card: Card): string {
  const name = spaced(card.name)
  const server = card.kind === 'tool' && card.server ? spaced(card.server) : ''
  return server === '' || name.toLowerCase().includes(server.toLowerCase()) ? name : `${server}: ${name}`
}

const descriptionOf = (card: Card): string =>
  card.description || (card.kind === 'agent' ? (card.instructions ?? '') : '')

/** Properties of parameters have names with dots. */
const isOutermost = ({ name }: { readonly name: string }): boolean => !name.includes('.')

/** The words of a name: `getUserById`, `get_user-by.id`. */
const spaced = (name: string): string => singleSpaced(partedCase(name).replace(/[_\-./:]+/g, ' '))

const singleSpaced = (text: string): string => text.replace(/\s+/g, ' ').trim()
