import { readFileSync } from 'node:fs'

/** The scripts of the page, in the order in which they may import each other. */
const modules = [
  'dom.js',
  'format.js',
  'unpack.js',
  'query-list.js',
  'query-details.js',
  'filter.js',
  'theme.js',
  'sort-tables.js',
  'chart-frame.js',
  'charts.js',
  'latency-chart.js',
  'virtual-list.js',
  'query-view.js',
  'explorer.js',
  'main.js',
]

const styles = ['base.css', 'tables.css', 'queries.css', 'print.css']

const importLine = /^import \{([^}]*)\} from '\.\/([\w-]+\.js)'\n/gm

const pageFile = (name: string): string => readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')

/** A module as a stretch of one script: what it imports stands before it. */
function stretchOf(name: string, before: readonly string[]): string {
  const text = pageFile(name)
  for (const [, names = '', from = ''] of text.matchAll(importLine)) {
    if (!before.includes(from))
      throw new Error(
        `page/${name} imports ${from}, which does not stand before it. Mend the order of modules.`,
      )
    if (/\bas\b/.test(names))
      throw new Error(`page/${name} renames what it imports from ${from}. Use the exported name.`)
  }
  const stretch = text.replace(importLine, '').replace(/^export (?=(?:async )?function|const)/gm, '')
  const left = /^(?:import|export)\b.*$/m.exec(stretch)
  if (left !== null)
    throw new Error(`page/${name}: "${left[0]}" cannot be joined. Export functions and constants.`)
  return stretch
}

/**
 * The scripts of the page as one. A page that is a single file cannot import modules, so they are joined: written,
 * checked and tested as modules, they use no default or renamed exports, and no name twice.
 */
export const pageScript = (): string =>
  `'use strict'\n{\n${modules.map((name, at) => stretchOf(name, modules.slice(0, at))).join('\n')}\n}\n`

/** The styles of the page as one. */
export const pageStyle = (): string => styles.map(pageFile).join('\n')
