// Builds the pages: `node src/page/build.js [folder]`, by default into dist/page.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const sources = dirname(fileURLToPath(import.meta.url))
const folder = process.argv[2] ?? join(sources, '..', '..', 'dist', 'page')

/** One file with everything in it: what the browser runs, or what writes the document in Node. */
async function bundle(input, output) {
  const build = await rolldown({
    input: join(sources, input),
    tsconfig: join(sources, 'tsconfig.json'),
    // A page that lacks a package would be built, and be broken.
    onLog: (level, log, tell) => tell(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log),
    platform: output.format === 'es' ? 'node' : 'browser',
  })
  await build.write({ ...output, minify: true, codeSplitting: false, comments: { legal: true } })
  await build.close()
}

mkdirSync(folder, { recursive: true })
await Promise.all([
  bundle('report/browser.tsx', { file: join(folder, 'report.js'), format: 'iife' }),
  bundle('report/document.tsx', { file: join(folder, 'document.mjs'), format: 'es' }),
  bundle('app/main.tsx', { file: join(folder, 'app.js'), format: 'iife' }),
])
/** Sheets of each page, in the order of their rules: a later one may override an earlier one. */
const sheets = {
  'report.css': ['parts/parts.css', 'report/report.css'],
  'app.css': [
    'parts/parts.css',
    'app/styles/base.css',
    'app/styles/frame.css',
    'app/styles/controls.css',
    'app/styles/signs.css',
    'app/styles/tables.css',
    'app/styles/find.css',
    'app/styles/card.css',
    'app/styles/charts.css',
    'app/styles/compose.css',
    'app/styles/permits.css',
    'app/styles/live.css',
    'app/styles/held.css',
    'app/styles/narrow.css',
  ],
}
for (const [name, parts] of Object.entries(sheets))
  writeFileSync(join(folder, name), parts.map((part) => readFileSync(join(sources, part), 'utf8')).join('\n'))
for (const file of ['app/index.html', 'app/icon.svg'])
  copyFileSync(join(sources, file), join(folder, basename(file)))
