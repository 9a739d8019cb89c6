import type { SourceDocument } from '../../catalog/ports.ts'
import { DocumentError, documentFromText } from '../../catalog/source-document.ts'

const timeoutMs = 30_000
const mostBytes = 16 * 1024 * 1024
/** Where an A2A agent publishes its card, newest revision first. */
const wellKnown = ['/.well-known/agent-card.json', '/.well-known/agent.json']

/**
 * Fetches a URL that the user gave as a source. The address of a site (no path) is taken as an A2A agent's: its
 * well-known card is tried first.
 *
 * @throws DocumentError when there is no answer, an error status, or more than 16 MB
 */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<SourceDocument> {
  const { pathname, origin } = new URL(url)
  if (pathname === '/') {
    for (const path of wellKnown) {
      const card = await attempt(`${origin}${path}`, signal).catch((error: unknown) => {
        if (error instanceof DocumentError) return null
        throw error
      })
      if (card) return card
    }
  }
  return attempt(url, signal)
}

async function attempt(url: string, signal: AbortSignal): Promise<SourceDocument> {
  const refuse = (message: string, cause?: unknown): DocumentError =>
    new DocumentError(
      {
        severity: 'error',
        file: url,
        message,
        remedy: 'Check the address, or save the document and index the file.',
      },
      { cause },
    )
  let response: Response
  try {
    response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: { accept: 'application/json, application/yaml, text/plain;q=0.5' },
    })
  } catch (cause) {
    signal.throwIfAborted()
    const reason =
      cause instanceof Error
        ? cause.cause instanceof Error
          ? cause.cause.message
          : cause.message
        : String(cause)
    throw refuse(`could not be fetched: ${reason}`, cause)
  }
  if (!response.ok) throw refuse(`answered ${response.status} ${response.statusText}`)
  return documentFromText(url, await limitedText(response, refuse))
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
