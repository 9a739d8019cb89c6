import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromiumPath, launchChromium } from '../../test/fakes/chromium.ts'
import { builtProgram, root } from '../built-program.ts'
import { ansiLines, type Span } from './ansi-lines.ts'
import { terminalSvg } from './terminal-svg.ts'

const pictures = join(root, 'docs', 'pictures')
const folder = mkdtempSync(join(tmpdir(), 'audition-pictures-'))

/** Runs Audition as on a terminal of 100 columns; what it printed. */
const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [builtProgram, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      AUDITION_HOME: join(folder, 'store'),
      FORCE_COLOR: '1',
      COLUMNS: '100',
    },
  })

const textOf = (line: readonly Span[]): string => line.map(({ text }) => text).join('')

/** The tour without its last part, which is a block to paste with paths of this machine. */
function tour(): readonly (readonly Span[])[] {
  const lines = ansiLines(run('quickstart'))
  const end = lines.findIndex((line) => textOf(line).startsWith('4. '))
  return lines.slice(0, end === -1 ? lines.length : end - 1)
}

/** The report of the built-in model beside words alone, as it opens. */
async function reportPicture(): Promise<void> {
  const report = join(folder, 'report.html')
  run('evaluate', 'bundled', '--ranker', 'lexical')
  run('evaluate', 'bundled', '--compare', 'latest', '--report', report)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 760 } })
    await page.goto(pathToFileURL(report).href)
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(pictures, 'report.png') })
  } finally {
    await browser.close()
  }
}

try {
  mkdirSync(pictures, { recursive: true })
  const svg = terminalSvg('A tour of Audition in a terminal', [
    { command: 'audition quickstart', lines: tour() },
  ])
  writeFileSync(join(pictures, 'quickstart.svg'), svg)
  if (chromiumPath === undefined) console.error('No Chromium: docs/pictures/report.png stays as it is.')
  else await reportPicture()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
