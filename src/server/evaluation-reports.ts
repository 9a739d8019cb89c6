import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Audition } from '../audition.ts'
import { reportUriTemplate } from './evaluation-uri.ts'
import { quoted, quotedList } from './quoted-text.ts'

const mimeType = 'text/html'

/** Completions shown at once, the most that the protocol allows. */
const mostCompletions = 100

/** Offers the report of every kept run as a resource, with completion of its address. */
export function registerReports(server: McpServer, app: Audition): void {
  const template = new ResourceTemplate(reportUriTemplate, {
    list: undefined,
    complete: {
      dataset: (value) => completed(app, ({ dataset }) => dataset, value),
      run: (value, context) =>
        completed(app, ({ run }) => run, value, decoded(context?.arguments?.dataset ?? '')),
    },
  })
  server.registerResource(
    'evaluation',
    template,
    {
      title: 'Evaluation report',
      description: 'The report of an evaluation as one HTML page: parts, intervals, queries and signals.',
      mimeType,
    },
    async (uri, { dataset, run }) => {
      const text = await reportAt(app, decoded(String(dataset)), decoded(String(run)), uri.href)
      return { contents: [{ uri: uri.href, mimeType, text }] }
    },
  )
}

/** @throws ProtocolError naming the runs there are */
async function reportAt(app: Audition, dataset: string, run: string, uri: string): Promise<string> {
  try {
    const evaluations = await app.evaluations()
    const kept = await evaluations.runs(dataset)
    const found = kept.find((one) => one.dataset === dataset && one.run === run)
    if (found !== undefined) return await evaluations.report(found)
    const names = kept.map((one) => one.run)
    const hint = names.length === 0 ? 'Call evaluate to make a run.' : `Its runs: ${quotedList(names, 5)}.`
    throw new ResourceNotFoundError(uri, `No run ${quoted(run)} of ${quoted(dataset)} is kept. ${hint}`)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    console.error('audition: report of an evaluation failed:', error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The report could not be read.')
  }
}

/** @param dataset - only its runs; absent or empty: of all */
async function completed(
  app: Audition,
  nameOf: (kept: { readonly dataset: string; readonly run: string }) => string,
  value: string,
  dataset = '',
): Promise<string[]> {
  try {
    const kept = await (await app.evaluations()).runs(dataset === '' ? undefined : dataset)
    const start = value.toLowerCase()
    return [...new Set(kept.map(nameOf))].filter((name) => name.startsWith(start)).slice(0, mostCompletions)
  } catch (error) {
    console.error('audition: completion failed:', error)
    return []
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
