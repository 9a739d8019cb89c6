import type { CardKind } from '../../domain/card.ts'
import type { RunId } from '../../evaluation/runs/run-store.ts'

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

/** Template of the resources that are reports of kept runs. */
export const reportUriTemplate = 'audition://evaluations/{dataset}/{run}'

/** The resource of a run's report. */
export const reportUri = ({ dataset, run }: RunId): string =>
  `audition://evaluations/${encodeURIComponent(dataset)}/${encodeURIComponent(run)}`

/** The resource that shows the catalog. */
export const catalogUri = 'audition://catalog'

/** Template of the resources that are sources. */
export const sourceUriTemplate = 'audition://sources/{source}'

/** The resource of a source. */
export const sourceUri = (id: string): string =>
  `audition://sources/${encodeURIComponent(id.replace(/\p{Cs}/gu, '\ufffd'))}`

/** Template of the resources that are transcripts of executions. */
export const transcriptUriTemplate = 'audition://transcripts/{outcome}'

/** The resource of an execution's transcript. */
export const transcriptUri = (outcome: string): string =>
  `audition://transcripts/${encodeURIComponent(outcome)}`

/** A part of a resource's address as text; a stray percent sign is part of the text. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
