import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../package-root.ts'
import type { ReportFacts } from './report-facts.ts'

/** What the document of a report is made of. */
export type ReportDocument = {
  readonly facts: ReportFacts
  /** Data for the script, packed, by name. */
  readonly data: { readonly [name in 'facts' | 'list' | 'details']: string }
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
