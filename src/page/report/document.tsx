import { render } from 'preact-render-to-string'
import type { ReportDocument } from '../../evaluation/report/render-report.ts'
import { Report } from './report.tsx'

/** Text that stands in the document as it is: scripts, styles and packed data of ours. */
const verbatim = (text: string) => ({ dangerouslySetInnerHTML: { __html: text } })

/** Writes the document of a report: the whole page, so that all but charts and queries is there without a script. */
export function writeDocument({ facts, data, policy, script, style }: ReportDocument): string {
  const { name, dataset } = facts.run
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>{`${name}: evaluation on ${dataset.name}`}</title>
        <style {...verbatim(style)} />
      </head>
      <body>
        <div id="report">
          <Report facts={facts} />
        </div>
        {Object.entries(data).map(([id, letters]) => (
          <script type="text/plain" id={`packed-${id}`} {...verbatim(letters)} />
        ))}
        <script {...verbatim(script)} />
      </body>
    </html>
  )
  return `<!doctype html>\n${render(page)}\n`
}
