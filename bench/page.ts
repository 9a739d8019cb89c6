import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchChromium } from '../test/fakes/chromium.ts'
import { atMost, type Bench, fixed } from './bench.ts'
import { root } from './built-program.ts'
import { serveAudition } from './served-audition.ts'
import { median, percentiles } from './statistics.ts'

/** Milliseconds between two keys: somebody who types fast. */
const keyMs = 60

/** The page in a real Chromium, over a real `audition serve --http`. */
export const pageBench: Bench = {
  name: 'page',
  question: 'How fast is the page, and how large?',
  async run(workplace) {
    if (chromiumPath === undefined) return { tables: [], notes: ['There is no Chromium here.'], floors: [] }
    const size = workplace.sizes.at(-1)!
    const home = await workplace.store('audition', workplace.corpus(size))
    const queries = workplace.queries(workplace.quick ? 5 : 20).slice(0, workplace.quick ? 10 : 60)
    const server = await serveAudition({ env: { AUDITION_HOME: home } })
    const browser = await launchChromium()
    try {
      const origin = new URL(server.url).origin
      const paints: number[] = []
      for (let load = 0; load < 7; load += 1) paints.push(await firstPaint(browser, origin))
      const page = await browser.newPage()
      await page.goto(origin)
      await page.waitForSelector('input[type=search]')
      await typed(page, queries[0]!)
      const waits: number[] = []
      for (const query of queries) {
        workplace.log(`page: ${waits.length + 1} of ${queries.length} requests`)
        waits.push(await typed(page, query.slice(0, 120)))
      }
      const { p50, p95 } = percentiles(waits)
      const bytes = ['app.js', 'app.css']
        .map((file) => gzipSync(readFileSync(join(root, 'dist', 'page', file))).length)
        .reduce((sum, one) => sum + one, 0)
      const session = await page.context().newCDPSession(page)
      await session.send('HeapProfiler.collectGarbage')
      const tab = await tabBytes(browser)
      return {
        tables: [
          {
            title: `The page over ${size.toLocaleString('en')} tools`,
            head: ['', 'measured'],
            rows: [
              ['script and style, compressed, kB', fixed(bytes / 1_000)],
              ['first contentful paint, ms, median of 7 loads', fixed(median(paints))],
              ['results after the last key, ms, p50', fixed(p50)],
              ['results after the last key, ms, p95', fixed(p95)],
              [`memory of the tab after ${queries.length} requests, MB`, fixed(tab / 1e6)],
            ],
          },
        ],
        notes: [
          `Requests of the development sets, their first 120 characters, typed key by key, ${keyMs} ms apart; each key searches. Timed from the last key to the frame that shows the answer to the whole text.`,
          'Server, browser and bench share the machine. Memory: what the renderer holds for itself (RssAnon) when its garbage is collected, with the answers that the inspector of the bench keeps.',
        ],
        floors: [
          atMost('script and style of the first view, compressed', 150, bytes / 1_000, ' kB'),
          atMost('results after the last key, p50', 100, p50, ' ms'),
          atMost('memory of the tab', 150, tab / 1e6, ' MB'),
        ],
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

async function firstPaint(browser: Browser, origin: string): Promise<number> {
  const context = await browser.newContext()
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

/** Types a request and waits for its answer. @returns milliseconds from the last key to the frame that shows it */
async function typed(page: Page, query: string): Promise<number> {
  await page.fill('input[type=search]', '')
  await page.focus('input[type=search]')
  await page.evaluate(`
    addEventListener('input', () => { window.lastKey = performance.now() }, { once: false })
  `)
  await page.keyboard.type(query, { delay: keyMs })
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => document.querySelector('section[aria-label=Results][aria-busy=false]')
      ? resolve(performance.now() - window.lastKey)
      : requestAnimationFrame(look)
    requestAnimationFrame(look)
  })`)
}

/** What the largest renderer holds for itself. */
async function tabBytes(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const held = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
  return 1_024 * Math.max(...held.map(Number))
}
