import type { CardKind } from '../../domain/card.ts'
import { decodedPart } from '../resources/decoded-part.ts'

/** Scheme and place of each kind of card among our resources. */
const place = { agent: 'audition://agents/', tool: 'audition://tools/' } as const

/** Templates of the resources, as the protocol lists them. */
export const cardUriTemplate = (kind: CardKind): string => `${place[kind]}{source}/{key}`

/** The resource of a card. A key may hold slashes: they are percent-encoded, so that there are always two parts. */
export function cardUri(kind: CardKind, id: string): string {
  const slash = id.indexOf('/')
  return `${place[kind]}${encodePart(id.slice(0, slash))}/${encodePart(id.slice(slash + 1))}`
}

/** The card's id of the two parts of a resource's address. */
export const idOfParts = (source: string, key: string): string => `${decodedPart(source)}/${decodedPart(key)}`

/** A lone surrogate has no encoding; it could not be asked for by anyone. */
const encodePart = (part: string): string => encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd'))
