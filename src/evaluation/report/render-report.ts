import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type PackedQueries, fitQueries, packed } from './pack-queries.ts'
import { type ReportFacts, type ReportInput, reportFacts } from './report-facts.ts'
import { packageRoot } from '../../package-root.ts'

/** Bytes that a report has at most, and those that its queries get in any case. */
const mostBytes = 5_900_000
const leastForQueries = 500_000

/**
 * A run as one page of HTML that needs nothing else: no network, no other file. It shows measures with their intervals,
 * charts, the comparison with a baseline, and every query with its candidates and their signals, as far as they fit
 * into 6 MB. Equal input gives equal bytes.
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const page = await builtPage()
  const script = inlined(page.script)
  const style = inlined(page.style)
  const policy = contentPolicy(script, style)
  const written = ({ facts: queries, packed: letters }: PackedQueries): string => {
    const facts = reportFacts(input, queries)
    return page.write({ facts, data: { facts: packed(facts), queries: letters }, policy, script, style })
  }
  const without = fitQueries({ ...input.run, outcomes: [] }, undefined, 0)
  const room = mostBytes - Buffer.byteLength(written(without))
  return written(fitQueries(input.run, input.baseline, Math.max(leastForQueries, room)))
}

/** What the document of a report is made of. */
export type ReportDocument = {
  readonly facts: ReportFacts
  /** Data for the script, packed, by name. */
  readonly data: { readonly facts: string; readonly queries: string }
  readonly policy: string
  readonly script: string
  readonly style: string
}

/** Writes the document of a report as HTML. The page's own `document.tsx` does. */
type WriteDocument = (report: ReportDocument) => string

/** The page of reports, as the build leaves it: its sources are in `src/page`. */
type BuiltPage = { readonly write: WriteDocument; readonly script: string; readonly style: string }

/** Reads the built page. It runs in the browser, so that a build of its own makes it. */
export async function builtPage(): Promise<BuiltPage> {
  const folder = join(packageRoot, 'dist', 'page')
  try {
    const [script, style, page] = await Promise.all([
      readFile(join(folder, 'report.js'), 'utf8'),
      readFile(join(folder, 'report.css'), 'utf8'),
      import(pathToFileURL(join(folder, 'document.mjs')).href) as Promise<{ writeDocument: WriteDocument }>,
    ])
    return { write: page.writeDocument, script, style }
  } catch (cause) {
    throw new Error(
      `${folder} cannot be read: reports need it. Install Audition again, or run \`npm run build\` in a clone.`,
      { cause },
    )
  }
}

/** What a script or style must not hold: it would end, or change how it is read. */
const breaksOut = /<\/(?:script|style)|<!--|<script/i

/** A script or style of ours as it may stand in a page, with line ends as a browser reads them: their hash is taken. */
export function inlined(text: string): string {
  const found = breaksOut.exec(text)
  if (found !== null) throw new Error(`A script of the report holds "${found[0]}". Write it as two strings.`)
  return text.replace(/\r\n?/g, '\n')
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(inlined(text), 'utf8').digest('base64')}'`

/**
 * What the page may do: run the script and style given here, and nothing else. No network, no frames, no forms, and no
 * markup made of strings (trusted types).
 */
export const contentPolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
