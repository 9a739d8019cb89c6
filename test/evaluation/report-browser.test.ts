import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderReport } from '../../src/evaluation/report/render-report.ts'
import { chromiumPath, launchChromium, openWatched as openFile } from '../fakes/chromium.ts'
import { hostileReport, hostileText, sampleReport } from '../fakes/sample-report.ts'

const none = chromiumPath === undefined
const wide = { viewport: { width: 1200, height: 900 } }
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

/** Opens a report and waits until its script has taken over. */
async function openWatched(browser: Browser, url: string, options: BrowserContextOptions) {
  const opened = await openFile(browser, url, options)
  await opened.page.waitForSelector(':root[data-live]')
  return opened
}

/** Brings the list of queries into view and waits until it is there. */
async function openList(page: Page): Promise<void> {
  await page.evaluate(`document.getElementById('queries').scrollIntoView()`)
  await page.waitForSelector('#query-list .row')
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

const background = (page: Page): Promise<string> =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

describe.skipIf(none)(`the report in a browser${none ? ' (skipped: no Chromium)' : ''}`, () => {
  let browser: Browser
  let folder: string
  let url: string
  const input = sampleReport({ queries: 300, parts: 12 })

  const fileOf = (name: string, page: string): string => {
    const file = join(folder, name)
    writeFileSync(file, page)
    return pathToFileURL(file).href
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'audition-report-'))
    url = fileOf('report.html', await renderReport(input))
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('opens without a word in the console and asks for nothing', async () => {
    const { page, said, asked } = await openWatched(browser, url, wide)
    await openList(page)
    expect(said).toEqual([])
    expect(asked).toEqual([url])
    const text = await page.innerText('body')
    for (const expected of [
      'benchmark hybrid own',
      'nDCG@10',
      'Cards nobody can find',
      'Largest losses',
      'part-11',
      '300 of 300 queries',
    ])
      expect(text).toContain(expected)
    const screenshot = join(folder, 'report.png')
    await page.screenshot({ path: screenshot, fullPage: true })
    expect(statSync(screenshot).size).toBeGreaterThan(50_000)
  })

  test.each([
    { id: 'interval-chart', choice: 'interval-measure', marks: 13 },
    { id: 'bar-chart', choice: 'bar-measure', marks: 12 },
    { id: 'latency-chart', choice: 'latency-percentile', marks: 3 },
  ])('draws $id, and again when another choice is made', async ({ id, choice, marks }) => {
    const { page, said } = await openWatched(browser, url, wide)
    const drawn = (): Promise<string> => page.innerHTML(`#${id}`)
    const first = await drawn()
    expect(await page.locator(`#${id} > g > title`).count()).toBe(marks)
    const boxes = await page
      .locator(`#${id} circle, #${id} .bar`)
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width > 0 && height >= 0),
      )
    expect(boxes.length).toBeGreaterThanOrEqual(marks)
    await page.selectOption(`select[name="${choice}"]`, { index: 1 })
    expect(await drawn()).not.toBe(first)
    expect(said).toEqual([])
  })

  test('opens a query with its candidates and why they are there', async () => {
    const { page } = await openWatched(browser, url, wide)
    await openList(page)
    await page.click('#query-list .row >> nth=1')
    await page.waitForSelector('#query-title')
    const outcome = input.run.outcomes[1]!
    const text = await page.innerText('dialog')
    for (const expected of [
      outcome.text,
      outcome.id,
      ...outcome.candidates.map(({ id }) => id),
      ...Object.keys(outcome.relevant),
      ...(outcome.candidates[0]!.signals?.matched ?? []),
      'BM25',
      'of the query',
      'in the baseline',
    ])
      expect(text).toContain(expected)
    await page.click('dialog >> text=Next')
    expect(await page.innerText('#query-title')).toBe(input.run.outcomes[2]!.text)
    await page.keyboard.press('Escape')
    expect(await page.isVisible('dialog')).toBe(false)
  })

  test('can be used with the keyboard alone', async () => {
    const { page } = await openWatched(browser, url, wide)
    await openList(page)
    await page.focus('#query-list .row >> nth=0')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.innerText('#query-title')).toBe(input.run.outcomes[2]!.text)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.innerText('#query-title')).toBe(input.run.outcomes[1]!.text)
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.innerText')).toContain(input.run.outcomes[2]!.text)
    await page.focus('#queries >> text=Last')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.innerText('#query-list .row >> nth=49'))
      .toContain(input.run.outcomes[299]!.text)
    await page.focus('#query-list .row >> nth=49')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.innerText('#query-title')).toBe(input.run.outcomes[299]!.text)
  })

  test('finds queries by word, part and change', async () => {
    const { page } = await openWatched(browser, url, wide)
    await openList(page)
    const status = (): Promise<string> => page.innerText('#query-count')
    const before = new Map(input.baseline!.outcomes.map(({ id, measures }) => [id, measures['ndcg@10']!]))
    const worse = input.run.outcomes.filter(({ id, measures }) => measures['ndcg@10']! < before.get(id)!)
    await page.selectOption('[name=change]', 'worse')
    expect(await status()).toBe(`${worse.length} of 300 queries`)
    await page.selectOption('[name=part]', { label: 'part-3' })
    expect(await status()).toBe(`${worse.filter(({ part }) => part === 'part-3').length} of 300 queries`)
    await page.selectOption('[name=change]', '')
    await page.selectOption('[name=part]', '')
    await page.fill('[name=text]', input.run.outcomes[40]!.text.toUpperCase())
    await expect.poll(status).toBe('1 of 300 queries')
    expect(await page.innerText('#query-list .row .clamped')).toBe(input.run.outcomes[40]!.text)
  })

  test('shows the ranking of a loss, whatever the filters say', async () => {
    const { page } = await openWatched(browser, url, wide)
    await openList(page)
    await page.fill('[name=text]', 'no query has these words')
    await expect.poll(() => page.innerText('#query-count')).toBe('0 of 300 queries')
    await page.click('#regressions >> text=Show ranking >> nth=0')
    expect(await page.innerText('#query-title')).toBe(input.comparison!.regressions[0]!.text)
  })

  test('sorts tables by a click on a head', async () => {
    const { page } = await openWatched(browser, url, wide)
    const column = (): Promise<string[]> => page.locator('#parts tbody tr td:nth-child(2)').allInnerTexts()
    const values = async (): Promise<number[]> => (await column()).map(Number.parseFloat)
    await page.click('#parts thead >> text=nDCG@10')
    expect(await page.getAttribute('#parts thead th:nth-child(2)', 'aria-sort')).toBe('descending')
    expect(await values()).toEqual((await values()).toSorted((a, b) => b - a))
    await page.click('#parts thead >> text=nDCG@10')
    expect(await values()).toEqual((await values()).toSorted((a, b) => a - b))
  })

  test('is dark where the system is, and where the reader says so', async () => {
    const dark = await openWatched(browser, url, { ...wide, colorScheme: 'dark' })
    const light = await openWatched(browser, url, { ...wide, colorScheme: 'light' })
    const [darkColour, lightColour] = [await background(dark.page), await background(light.page)]
    expect(darkColour).not.toBe(lightColour)
    await light.page.selectOption('#theme', 'light')
    expect(await background(light.page)).toBe(lightColour)
    await light.page.selectOption('#theme', 'dark')
    expect(await background(light.page)).toBe(darkColour)
    await dark.page.selectOption('#theme', 'light')
    expect(await background(dark.page)).toBe(lightColour)
    expect([...dark.said, ...light.said]).toEqual([])
  })

  test('needs no sideways scrolling on a phone', async () => {
    const { page, said } = await openWatched(browser, url, phone)
    expect(await overflow(page)).toBe(0)
    await openList(page)
    expect(await overflow(page)).toBe(0)
    await page.tap('#query-list .row >> nth=0')
    await page.waitForSelector('dialog[open]')
    expect(await overflow(page)).toBe(0)
    expect(
      await page.evaluate(
        `(() => { const d = document.querySelector('dialog'); return d.scrollWidth - d.clientWidth })()`,
      ),
    ).toBe(0)
    expect(said).toEqual([])
  })

  test('prints in light colours without what needs a screen', async () => {
    const { page } = await openWatched(browser, url, { ...wide, colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).color`)).toBe('rgb(0, 0, 0)')
    expect(await page.isVisible('nav')).toBe(false)
    expect(await page.isVisible('#query-list')).toBe(false)
    expect(await page.innerText('#queries')).toContain('open it in a browser')
  })

  test('shows hostile texts as texts', async () => {
    const { page, said, asked } = await openWatched(
      browser,
      fileOf('hostile.html', await renderReport(hostileReport())),
      wide,
    )
    await openList(page)
    await page.click('#query-list .row >> nth=0')
    const shown = hostileText.replace('\u202e\u0000', '')
    const title = await page.innerText('#query-title')
    expect(title).toBe(`0 ${shown}`)
    expect(await page.innerText('dialog .candidates')).toContain(shown)
    expect(await page.evaluate('typeof window.hacked')).toBe('undefined')
    expect(await page.locator('img').count()).toBe(0)
    expect(said).toEqual([])
    expect(asked).toHaveLength(1)
  })

  test('runs no script but its own', async () => {
    const written = await renderReport(input)
    const planted = written.replace('</main>', '<script>window.hacked = 1</script></main>')
    const { page, said } = await openFile(browser, fileOf('planted.html', planted), wide)
    expect(await page.evaluate('typeof window.hacked')).toBe('undefined')
    expect(said.join()).toContain('Content Security Policy')
  })
})
