import type { Api } from '../../server/api/endpoints.ts'
import type { JobEvent } from '../../server/api/api-jobs.ts'
import type { ErrorNotice } from '../../server/api/api-error.ts'

const root = '/api/v1'
/** Addresses longer than this are not sent as such: servers and proxies bound them. */
const longestAddress = 1_500

/** Why there is no answer. */
export class Failure extends Error {
  readonly notice: ErrorNotice
  /** Of HTTP; 0 when nobody answered, -1 when it is no answer of the server. */
  readonly status: number
  /** With 401: no token is typed here, an address that the server printed gives it. */
  readonly isByAddress: boolean
  constructor(status: number, notice: ErrorNotice, isByAddress = false) {
    super(notice.message)
    this.status = status
    this.notice = notice
    this.isByAddress = isByAddress
  }
}

/** What the token is kept under; for this tab alone. */
const tokenKey = 'audition-token'
let token = sessionStorage.getItem(tokenKey)

export const hasToken = (): boolean => token !== null

export function useToken(given: string): void {
  token = given
  sessionStorage.setItem(tokenKey, given)
}

/** Tabs of one page: what one changes the others ask for again, and a new one gets the token of one that has it. */
const tabs = new BroadcastChannel('audition')
const listeners = new Set<() => void>()

/** Calls back when something was changed, here or in another tab. @returns what ends that */
export function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells all tabs that something is not as it was. */
export function changed(): void {
  tabs.postMessage('changed')
  for (const listener of listeners) listener()
}

tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === 'changed') for (const listener of listeners) listener()
  if (data === 'token?' && token !== null) tabs.postMessage({ token })
  if (isJustEntered(data)) {
    useToken(data.entered)
    for (const listener of listeners) listener()
  }
}

/** What a tab tells that was let in: `audition ui` that was started again on the same port gave another token. */
const isJustEntered = (data: unknown): data is { readonly entered: string } =>
  typeof data === 'object' && data !== null && 'entered' in data && typeof data.entered === 'string'

/** Asks the other tabs for the token; one that has it answers at once. */
export const tokenOfOtherTab = (): Promise<string | null> =>
  new Promise((resolve) => {
    const asking = new BroadcastChannel('audition')
    const done = (found: string | null): void => {
      asking.close()
      resolve(found)
    }
    asking.onmessage = ({ data }: MessageEvent<{ readonly token?: string }>) => {
      if (typeof data.token === 'string') done(data.token)
    }
    asking.postMessage('token?')
    setTimeout(() => done(null), 300)
  })

const headers = (): Record<string, string> => (token === null ? {} : { authorization: `Bearer ${token}` })

/** Gives the ticket of the address for a token. @returns whether it was taken */
export async function enter(ticket: string): Promise<boolean> {
  const response = await fetch(`${root}/enter`, { method: 'POST', headers: { 'audition-ticket': ticket } })
  if (!response.ok) return false
  const { token: entered } = (await response.json()) as { readonly token: string }
  useToken(entered)
  tabs.postMessage({ entered })
  return true
}

let isAway = false

/** Once nobody answers: looks until somebody does, and then has everything asked for again. */
function awaitReturn(): void {
  if (isAway) return
  isAway = true
  const look = (): void => {
    fetch('/page/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
      () => {
        isAway = false
        for (const listener of listeners) listener()
      },
      () => setTimeout(look, 2_000),
    )
  }
  setTimeout(look, 1_000)
}

/** Happens on the window when the token is not taken any more. */
export const locked = 'audition-locked'

/** What changes nothing; anything else is told to the other tabs. */
const readers: ReadonlySet<keyof Api> = new Set([
  'session',
  'search',
  'card',
  'record',
  'transcript',
  'jobs',
  'job',
  'sources',
  'source',
  'evaluations',
  'models',
  'planIndex',
  'held',
  'permits',
  'covered',
  'plan',
])

/** Asks one endpoint. @throws Failure; the reason of the signal */
export async function call<Name extends keyof Api>(
  name: Name,
  input: Api[Name]['input'],
  signal?: AbortSignal,
): Promise<Api[Name]['output']> {
  const isRead = readers.has(name)
  const query = isRead ? queryOf(input) : ''
  const isShort = isRead && query.length < longestAddress
  const response = await answered(`${root}/${name}${isShort ? query : ''}`, {
    ...(isShort
      ? { headers: headers() }
      : {
          method: 'POST',
          headers: { ...headers(), 'content-type': 'application/json' },
          body: JSON.stringify(input),
        }),
    ...(signal === undefined ? {} : { signal }),
  })
  const value = (await response.json()) as Api[Name]['output']
  if (!isRead) changed()
  return value
}

async function answered(address: string, request: RequestInit): Promise<Response> {
  const response = await fetch(address, request).catch((error: unknown) => {
    if (request.signal?.aborted === true) throw error
    awaitReturn()
    throw new Failure(0, {
      message: 'Audition does not answer.',
      remedy:
        'Is it still running where you started it? This looks for it. After a new start of `audition ui`, open the address that it printed.',
    })
  })
  if (response.ok) return response
  // The view that asked is not the one to say so: the session is asked again, and the door comes.
  if (response.status === 401 && address !== `${root}/session`) dispatchEvent(new Event(locked))
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: ErrorNotice }
  throw new Failure(
    response.status,
    error ?? { message: `The server answered with ${response.status}.` },
    response.headers.get('www-authenticate')?.includes('audition ui'),
  )
}

function queryOf(input: object): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) query.append(name, String(one))
  return query.size === 0 ? '' : `?${query}`
}

/** Follows a job: gives what happened after a number, and comes back when the connection drops. Returns when the job has ended. */
export async function follow(
  id: string,
  {
    signal,
    onEvent,
    onGap,
  }: {
    readonly signal: AbortSignal
    readonly onEvent: (event: JobEvent) => void
    /** Told why nobody answers for the moment; nothing once somebody does. */
    readonly onGap: (failure?: Failure) => void
  },
): Promise<void> {
  let last = 0
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 2_000)) {
    try {
      const response = await answered(`${root}/events?id=${id}&after=${last}`, { headers: headers(), signal })
      onGap()
      wait = 500
      for await (const { event, data, number } of streamed(response)) {
        if (event === 'end') return
        last = number
        onEvent({ number, step: JSON.parse(data) as JobEvent['step'] })
      }
    } catch (error) {
      if (signal.aborted || (error instanceof Failure && error.status === 404)) return
      if (error instanceof Failure) onGap(error)
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** The messages of an event stream. */
async function* streamed(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]),
      )
      const data = fields.get('data')
      if (data !== undefined) yield { event: fields.get('event'), data, number: Number(fields.get('id')) }
    }
  }
}
