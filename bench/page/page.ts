import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchChromium } from '../../test/fakes/chromium.ts'
import { atMost, type Bench, fixed } from '../bench.ts'
import { root } from '../built-program.ts'
import { hasReader } from '../static-model-folder.ts'
import { median, percentiles } from '../statistics.ts'
import type { Workplace } from '../workplace.ts'
import { type PageStage, pageStage, startPage } from './stage.ts'
import { keyMs, plainTab } from './tab.ts'
import { openedView, type ViewTime, viewSteps } from './views.ts'

/** The page in a real Chromium, over a real `audition ui`, with the ranker that ships and without its reader. */
export const pageBench: Bench = {
  name: 'page',
  question: 'How fast is the page, and how large?',
  async run(workplace) {
    if (chromiumPath === undefined) return { tables: [], notes: ['There is no Chromium here.'], floors: [] }
    const size = workplace.sizes.at(-1)!
    const store = await workplace.store('audition, reader ranking', workplace.corpus(size))
    const stage = await pageStage(workplace, store)
    const rankers = hasReader ? ['reader', 'without the reader'] : ['without the reader']
    const measured: Measured[] = []
    for (const ranker of rankers) measured.push(await measure(workplace, stage, ranker))
    const bytes = ['app.js', 'app.css']
      .map((file) => gzipSync(readFileSync(join(root, 'dist', 'page', file))).length)
      .reduce((sum, one) => sum + one, 0)
    const [first] = measured
    const worst = (of: (view: ViewFigures) => number): number =>
      Math.max(...measured.flatMap(({ views }) => views.map(of)))
    return {
      tables: [wholeTable(stage, measured, bytes), ...measured.map(viewsTable)],
      notes: [
        `Requests of the development sets, their first 120 characters, typed key by key, ${keyMs} ms apart; each key searches. Timed from the last key to the frame that shows the answer to the whole text.`,
        'Views: from the click or key to the painted frame that begins to answer (its heading, or that it works), and to the one with all its content. Jobs show how far they are.',
        'Interaction: the longest of what the browser itself measures of each click and key until the next paint (Event Timing; INP without its allowance for outliers), over all views.',
        'Memory: what the process of the tab holds for itself (RssAnon), garbage included, in a tab that no inspector watches. An inspector of the network keeps every answer there.',
        'Server, browser and bench share the machine.',
      ],
      floors: [
        atMost('script and style of the first view, compressed', 150, bytes / 1_000, ' kB'),
        ...measured.map(({ ranker, waits }) =>
          atMost(`results after the last key, p50, ${ranker}`, 100, percentiles(waits).p50, ' ms'),
        ),
        atMost(
          'the slowest view begins to answer, median',
          100,
          worst(({ times }) => median(times.map(({ responded }) => responded))),
          ' ms',
        ),
        atMost(
          'the slowest view that is no job shows all, median',
          100,
          worst(({ isJob, times }) => (isJob ? 0 : median(times.map(({ shown }) => shown)))),
          ' ms',
        ),
        atMost('memory of the tab', 150, first && first.tab / 1e6, ' MB'),
      ],
    }
  },
}

type ViewFigures = { readonly view: string; readonly isJob: boolean; readonly times: readonly ViewTime[] }
type Measured = {
  readonly ranker: string
  readonly paints: readonly number[]
  /** After the last key, per request. */
  readonly waits: readonly number[]
  readonly minutes: number
  /** Bytes as they were, and when the garbage was collected. */
  readonly tab: number
  readonly collected: number
  /** Milliseconds of the longest interaction. */
  readonly interaction: number
  readonly views: readonly ViewFigures[]
}

async function measure(workplace: Workplace, stage: PageStage, ranker: string): Promise<Measured> {
  const { quick, log } = workplace
  const isFirst = ranker === 'reader' || !hasReader
  const server = await startPage({
    ...stage.env,
    ...(ranker === 'reader' ? {} : { AUDITION_READER: 'none' }),
  })
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(server.address)
    await page.waitForSelector('input[type=search]')
    const token = await page.evaluate<string>(`sessionStorage.getItem('audition-token')`)
    const { origin } = new URL(server.address)
    const paints: number[] = []
    for (let load = 0; load < 7; load += 1) paints.push(await firstPaint(browser, origin, token))
    const queries = workplace.queries(quick ? 5 : 20)
    const views: ViewFigures[] = []
    for (const step of viewSteps(stage, queries[0]!)) {
      log(`page: ${ranker}, ${step.view}`)
      const times: ViewTime[] = []
      const turns = step.isJob || quick ? 3 : 7
      while (times.length < turns) times.push(await openedView(page, step))
      views.push({ view: step.view, isJob: step.isJob === true, times })
    }
    const interaction = await longestInteraction(page)
    await page.context().close()
    const minutes = quick ? 0.5 : isFirst ? 10 : 3
    log(`page: ${ranker}, ${minutes} minutes of typing`)
    const typing = await typed(browser, `${origin}/`, { token, queries, minutes })
    return { ranker, paints, minutes, interaction, views, ...typing }
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function firstPaint(browser: Browser, origin: string, token: string): Promise<number> {
  const context = await browser.newContext()
  await context.addInitScript(`sessionStorage.setItem('audition-token', ${JSON.stringify(token)})`)
  const page = await context.newPage()
  await page.goto(origin)
  await page.waitForSelector('input[type=search]')
  const paint = await page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => {
      const first = list.getEntriesByName('first-contentful-paint')[0]
      if (first) resolve(first.startTime)
    }).observe({ type: 'paint', buffered: true }))`,
  )
  await context.close()
  return paint
}

const longestInteraction = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(Math.max(...list.getEntries().map(({ duration }) => duration))))
      .observe({ type: 'event', durationThreshold: 16, buffered: true })
    setTimeout(() => resolve(16), 2_000)
  })`)

type Typing = { readonly token: string; readonly queries: readonly string[]; readonly minutes: number }

/** Types one request after the other, in a tab of its own. */
async function typed(browser: Browser, url: string, { token, queries, minutes }: Typing) {
  const tab = await plainTab(browser, `${url}page/icon.svg`)
  await tab.evaluate(
    `sessionStorage.setItem('audition-token', ${JSON.stringify(token)}); location.href = ${JSON.stringify(url)}`,
  )
  const field = `document.querySelector('input[type=search]')`
  const isThere = async () => (await tab.evaluate(`${field} !== null`)) === true
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 100))
  await tab.evaluate(`addEventListener('input', ({ timeStamp }) => { window.lastKey = timeStamp })`)
  const waits: number[] = []
  const until = Date.now() + minutes * 60_000
  for (let at = 0; Date.now() < until; at += 1) {
    await tab.evaluate(`${field}.focus(); ${field}.select()`)
    await tab.type(queries[at % queries.length]!.slice(0, 120))
    const wait = await tab.evaluate<number>(`new Promise((resolve) => {
      const look = () => document.querySelector('section[aria-label=Results][aria-busy=false]')
        ? resolve(performance.now() - window.lastKey)
        : requestAnimationFrame(look)
      requestAnimationFrame(look)
    })`)
    // The first request opens the index.
    if (at > 0) waits.push(wait)
  }
  const held = await tab.bytes()
  await tab.collectGarbage()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  return { waits, tab: held, collected: await tab.bytes() }
}

function wholeTable({ cards }: PageStage, measured: readonly Measured[], bytes: number) {
  const each = (title: string, of: (one: Measured) => string) => [title, ...measured.map(of)]
  return {
    title: `The page over ${cards.toLocaleString('en')} cards`,
    head: ['', ...measured.map(({ ranker }) => ranker)],
    rows: [
      each('first contentful paint, ms, median of 7 loads', ({ paints }) => fixed(median(paints))),
      each('results after the last key, ms, p50', ({ waits }) => fixed(percentiles(waits).p50)),
      each('the same, p95', ({ waits }) => fixed(percentiles(waits).p95)),
      each('requests typed', ({ waits, minutes }) => `${waits.length} in ${minutes} minutes`),
      each('longest interaction over all views, ms', ({ interaction }) => fixed(interaction)),
      each('script and style of all views, compressed, kB', () => fixed(bytes / 1_000)),
      each('memory of the tab after the typing, MB', ({ tab }) => fixed(tab / 1e6)),
      each('the same, garbage collected', ({ collected }) => fixed(collected / 1e6)),
    ],
  }
}

const viewsTable = ({ ranker, views }: Measured) => ({
  title: `Views, ms, ${ranker}`,
  head: ['view', 'answers, first time', 'answers, median', 'all of it, first time', 'all of it, median'],
  rows: views.map(({ view, isJob, times }) => [
    isJob ? `${view} (job)` : view,
    fixed(times[0]!.responded),
    fixed(median(times.map(({ responded }) => responded))),
    fixed(times[0]!.shown),
    fixed(median(times.map(({ shown }) => shown))),
  ]),
})
