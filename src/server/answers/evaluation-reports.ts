import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Audition } from '../../compose/audition.ts'
import { decodedPart } from '../resources/decoded-part.ts'
import { reportUriTemplate } from './evaluation-uri.ts'
import { quoted, quotedList } from './quoted-text.ts'
import { completers, completions, readResource } from '../resources/read-resource.ts'

const mimeType = 'text/html'

/** Offers the report of every kept run as a resource, with completion of its address. */
export function registerReports(server: McpServer, app: Audition): void {
  const template = new ResourceTemplate(reportUriTemplate, {
    list: undefined,
    complete: completers({
      dataset: (value) => completed(app, ({ dataset }) => dataset, value),
      run: (value, context) =>
        completed(app, ({ run }) => run, value, decodedPart(context?.arguments?.dataset ?? '')),
    }),
  })
  server.registerResource(
    'evaluation',
    template,
    {
      title: 'Evaluation report',
      description: 'The report of an evaluation as one HTML page: parts, intervals, queries and signals.',
      mimeType,
    },
    async (uri, { dataset, run }, { mcpReq }) => {
      const text = await readResource(app, 'the report', mcpReq.signal, () =>
        reportAt(app, decodedPart(String(dataset)), decodedPart(String(run)), uri.href),
      )
      return { contents: [{ uri: uri.href, mimeType, text }] }
    },
  )
}

/** @throws ResourceNotFoundError naming the runs there are */
async function reportAt(app: Audition, dataset: string, run: string, uri: string): Promise<string> {
  const evaluations = await app.evaluations()
  const kept = await evaluations.runs(dataset)
  const found = kept.find((one) => one.dataset === dataset && one.run === run)
  if (found !== undefined) return evaluations.report(found)
  const names = kept.map((one) => one.run)
  const hint = names.length === 0 ? 'Call evaluate to make a run.' : `Its runs: ${quotedList(names, 5)}.`
  throw new ResourceNotFoundError(uri, `No run ${quoted(run)} of ${quoted(dataset)} is kept. ${hint}`)
}

/** @param dataset - only its runs; absent or empty: of all */
const completed = (
  app: Audition,
  nameOf: (kept: { readonly dataset: string; readonly run: string }) => string,
  value: string,
  dataset = '',
): Promise<string[]> =>
  completions(app, async () => {
    const kept = await (await app.evaluations()).runs(dataset === '' ? undefined : dataset)
    const start = value.toLowerCase()
    return [...new Set(kept.map(nameOf))].filter((name) => name.startsWith(start))
  })
