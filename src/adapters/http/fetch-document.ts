import type { SourceDocument } from '../../catalog/ports.ts'
import { DocumentError, documentFromText } from '../../catalog/source-document.ts'
import { type HttpGuard, httpGuard } from './guarded-fetch.ts'
import { RefusedRequestError } from './refused-request.ts'
import { withDeadline } from './with-deadline.ts'

const timeoutMs = 30_000
const mostBytes = 16 * 1024 * 1024
/** Where an A2A agent publishes its card, newest revision first. */
const wellKnown = ['/.well-known/agent-card.json', '/.well-known/agent.json']

/**
 * Fetches a URL that the user gave as a source. The address of a site (no path) is taken as an A2A agent's: its
 * well-known card is tried first.
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
  const read = async (stop: AbortSignal): Promise<string> => {
    const response = await send(url, {
      signal: stop,
      headers: { accept: 'application/json, application/yaml, text/plain;q=0.5' },
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw refuse(`answered ${response.status} ${response.statusText}`)
    }
    return limitedText(response, refuse)
  }
  try {
    return documentFromText(url, await withDeadline(signal, timeoutMs, read))
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof DocumentError) throw cause
    if (cause instanceof RefusedRequestError) throw refuse(cause.message, cause, cause.remedy)
    throw refuse(`could not be fetched: ${reasonOf(cause)}`, cause)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it took longer than ${timeoutMs / 1000} s`
  return error.cause instanceof Error ? error.cause.message : error.message
}

async function limitedText(response: Response, refuse: (message: string) => DocumentError): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw refuse('is larger than 16 MB')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
