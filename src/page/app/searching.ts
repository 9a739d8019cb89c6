import { useEffect, useRef, useState } from 'preact/hooks'
import type { Api } from '../../server/api/endpoints.ts'
import { call, type Failure, onChange } from './api.ts'
import { failureOf } from './data.ts'

type Found = Api['search']['output']
export type Kind = Found['kind']

/** What is searched for: in the cards of a kind, called from a host, of one source; each empty where it is not asked. */
type Searched = { query: string; kind: Kind; host: string; source: string }

/**
 * Searches as the text changes. One request is under way at a time; what was typed meanwhile is asked as soon as it is answered, so that
 * the last text is never behind more than one other.
 */
export function useSearch({ query, kind, host, source }: Searched) {
  const [state, set] = useState<{ found?: Found; failure?: Failure; asked: string }>({ asked: '' })
  const wanted = useRef<{ key: string; isRunning: boolean }>({ key: '', isRunning: false })
  const [turn, again] = useState(0)
  useEffect(() => onChange(() => again((one) => one + 1)), [])
  const within = source === '' ? {} : { sources: [source] }
  const input = { query, kind, k: 12, ...within, ...(host === '' ? {} : { host }) }
  const key = query === '' ? '' : JSON.stringify({ ...input, turn })
  useEffect(() => {
    const { current } = wanted
    current.key = key
    if (key === '' || current.isRunning) return
    const next = async (): Promise<void> => {
      current.isRunning = true
      while (current.key !== '') {
        const asked = current.key
        const { turn: _, ...fields } = JSON.parse(asked) as typeof input & { turn: number }
        await call('search', fields).then(
          (found) => set({ found, asked }),
          (error: unknown) => set({ failure: failureOf(error), asked }),
        )
        if (current.key === asked) break
      }
      current.isRunning = false
    }
    void next()
  }, [key])
  const isOfKind = state.found?.kind === kind
  return { found: isOfKind ? state.found : undefined, failure: state.failure, isLate: state.asked !== key }
}
