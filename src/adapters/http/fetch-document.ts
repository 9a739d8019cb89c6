import { boundedText } from './ask-json.ts'
import { boundsOf } from '../../domain/bounds.ts'
import type { SourceDocument } from '../../catalog/ports.ts'
import { DocumentError, documentFromText } from '../../catalog/source-document.ts'
import { type HttpGuard, httpGuard } from './guarded-fetch.ts'
import { RefusedRequestError } from './reach.ts'

const most = { seconds: 30, bytes: 16 * 1024 * 1024 }
/** Where an A2A agent publishes its card, newest revision first, and a site its catalog (Agentic Resource Discovery). */
const wellKnown = ['agent-card.json', 'agent.json', 'ai-catalog.json'].map((name) => `/.well-known/${name}`)

/**
 * Fetches a URL that the user gave as a source. The address of a site (no path) is taken as an A2A agent's, then as that of a catalog: what is
 * well known is tried first.
 *
 * @throws DocumentError when the guard refuses the address, there is no answer, an error status, or more than 16 MB
 */
export async function fetchDocument(
  url: string,
  signal: AbortSignal,
  guard: HttpGuard = httpGuard(),
): Promise<SourceDocument> {
  const send = guard.fetch('user')
  const { pathname, origin } = new URL(url)
  if (pathname === '/') {
    for (const path of wellKnown) {
      const card = await attempt(`${origin}${path}`, signal, send).catch((error: unknown) => {
        if (error instanceof DocumentError) return null
        throw error
      })
      if (card) return card
    }
  }
  return attempt(url, signal, send)
}

const checkAddress = 'Check the address, or save the document and index the file.'

async function attempt(
  url: string,
  signal: AbortSignal,
  send: typeof globalThis.fetch,
): Promise<SourceDocument> {
  const refuse = (message: string, cause?: unknown, remedy = checkAddress): DocumentError =>
    new DocumentError(
      {
        severity: 'error',
        file: url,
        message,
        remedy,
      },
      { cause },
    )
  const bounds = boundsOf({
    callers: [signal],
    seconds: most.seconds,
    bytes: most.bytes,
    words: { time: `it took longer than ${most.seconds} s`, output: 'is larger than 16 MB' },
  })
  const read = async (): Promise<string> => {
    const response = await send(url, {
      signal: bounds.signal,
      headers: { accept: 'application/json, application/yaml, text/plain;q=0.5' },
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw refuse(`answered ${response.status} ${response.statusText}`)
    }
    return boundedText(response, bounds)
  }
  try {
    return documentFromText(url, await bounds.orStopped(read()))
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof DocumentError) throw cause
    if (bounds.stoppedBy() === 'output') throw refuse(reasonOf(bounds.signal.reason))
    if (cause instanceof RefusedRequestError) throw refuse(cause.message, cause, cause.remedy)
    throw refuse(`could not be fetched: ${reasonOf(cause)}`, cause)
  } finally {
    bounds.release()
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
