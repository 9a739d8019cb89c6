import { createContext } from 'preact'
import type { Api } from '../../server/api/endpoints.ts'
import type { PagePlace } from './place.ts'

/** Who looks, and what there is. */
export type Session = Api['session']['output']

/** How permits begin, and what those stand for. */
export const PermitWords = createContext<Session['permitWords']>([])

/** What every view gets. */
export type ViewProps = { place: PagePlace; session: Session }

/** The host that was chosen, else the first that is on this machine. */
export const hostOf = (chosen: string | null, { hosts }: Session): string =>
  chosen ?? hosts.find(({ isHere }) => isHere)?.name ?? ''
