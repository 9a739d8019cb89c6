import { useEffect, useRef, useState } from 'preact/hooks'
import type { Api } from '../../server/api/endpoints.ts'
import type { JobView } from '../../server/api/api-jobs.ts'
import type { ApiJobKind, JobSteps } from '../../server/api/job-results.ts'
import { call, changed, Failure, follow, onChange } from './api.ts'

/** What an endpoint gives, and how it stands. What was there stays while it is asked for again. */
export type Loaded<Value> = {
  readonly value: Value | undefined
  readonly failure: Failure | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Asks, and asks again when something was changed. Null asks for nothing. */
export function useData<Name extends keyof Api>(
  name: Name,
  input: Api[Name]['input'] | null,
): Loaded<Api[Name]['output']> {
  type Value = Api[Name]['output']
  const key = input === null ? null : JSON.stringify(input)
  const [state, set] = useState<{ value?: Value; failure?: Failure; key: string | null }>({ key: null })
  const [turn, again] = useState(0)
  const reload = (): void => again((one) => one + 1)
  useEffect(() => onChange(reload), [])
  useEffect(() => {
    if (key === null) return
    const stop = new AbortController()
    call(name, JSON.parse(key) as Api[Name]['input'], stop.signal).then(
      (value) => set({ value, key }),
      (error: unknown) => {
        if (!stop.signal.aborted)
          set((last) => ({ ...(last.key === key ? last : {}), failure: failureOf(error), key }))
      },
    )
    return () => stop.abort()
  }, [name, key, turn])
  const { value, failure } = state
  return {
    value,
    failure: state.key === key ? failure : undefined,
    isLoading: key !== null && state.key !== key,
    reload,
  }
}

export const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(-1, { message: String(error) })

/** Does something once at a time, and says how it went. */
export function useAction() {
  const [failure, fail] = useState<Failure>()
  const [isBusy, busy] = useState(false)
  // That nobody answers is over once somebody does.
  useEffect(() => onChange(() => fail((last) => (last?.status === 0 ? undefined : last))), [])
  const run = async (work: () => Promise<void>): Promise<void> => {
    busy(true)
    fail(undefined)
    await work().catch((error: unknown) => fail(failureOf(error)))
    busy(false)
  }
  return { failure, isBusy, run: (work: () => Promise<void>) => void run(work), clear: () => fail(undefined) }
}

/** Says what was done. The focus goes to the item after the one that it was done to, else to what the selector names. */
export function useDone() {
  const [said, say] = useState('')
  /** Taken before the work: what follows the place where one is. @returns what tells that it is done */
  const from = (at: Element, otherwise = 'h1') => {
    const items = [...document.querySelectorAll<HTMLElement>('[data-item]')]
    const item = items.findIndex((one) => one.contains(at))
    const next = item < 0 ? undefined : items[item + 1]
    return (text: string): void => {
      say(text)
      const target = next?.isConnected ? next : document.querySelector<HTMLElement>(otherwise)
      target?.focus()
    }
  }
  return { said, from, clear: () => say('') }
}

/** A job that is watched, with all that happened in it. */
export type Watched<Kind extends ApiJobKind> = {
  readonly job?: JobView<Kind>
  readonly steps: readonly JobSteps[Kind][]
  /** Why it is not watched any more, or not for the moment. */
  readonly failure?: Failure | undefined
}

/** Nobody is there, or it is just ending or starting. */
const noAnswer: ReadonlySet<number> = new Set([0, 502, 503, 504])

/** Asks again while nobody answers, and says so: the connection may be back in a moment. */
async function persistent<Value>(
  ask: () => Promise<Value>,
  onGap: (failure?: Failure) => void,
): Promise<Value> {
  for (;;) {
    try {
      const value = await ask()
      onGap()
      return value
    } catch (error) {
      if (!(error instanceof Failure) || !noAnswer.has(error.status)) throw error
      onGap(error)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

/** Watches a job of a kind, from its beginning. Steps that come in one frame are shown at once. */
export function useJob<Kind extends ApiJobKind>(kind: Kind, id: string | null): Watched<Kind> {
  const nothing: Watched<Kind> = { steps: [] }
  const [watched, set] = useState(nothing)
  const frame = useRef(0)
  useEffect(() => {
    set(nothing)
    if (id === null) return
    const stop = new AbortController()
    const { signal } = stop
    const steps: JobSteps[Kind][] = []
    const onGap = (failure?: Failure): void =>
      set((last) => (last.failure === failure ? last : { ...last, failure }))
    const look = async (): Promise<void> => {
      const job = (await persistent(() => call('job', { id }, signal), onGap)) as JobView<Kind>
      if (job.kind === kind) set((last) => ({ ...last, job }))
    }
    const show = (): void => {
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0
        set((last) => ({ ...last, steps: [...steps] }))
      })
    }
    const watch = async (): Promise<void> => {
      await look()
      await follow(id, {
        signal,
        onGap,
        onEvent: ({ step }) => {
          steps.push(step as JobSteps[Kind])
          show()
        },
      })
      await look()
      if (kind !== 'plan') changed()
    }
    watch().catch((error: unknown) => {
      // What was seen stays, but nothing runs any more that could be stopped.
      if (!signal.aborted) set(({ steps }) => ({ steps, failure: failureOf(error) }))
    })
    return () => stop.abort()
  }, [kind, id])
  return watched
}
