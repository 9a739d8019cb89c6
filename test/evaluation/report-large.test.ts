import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { renderReport } from '../../src/evaluation/report/render-report.ts'
import { chromiumPath, launchChromium, openWatched } from '../fakes/chromium.ts'
import { sampleReport } from '../fakes/sample-report.ts'

const none = chromiumPath === undefined
let kept: Promise<string> | undefined
const large = (): Promise<string> => {
  kept ??= renderReport(sampleReport({ queries: 61_000, parts: 35, words: 22 }))
  return kept
}

test('a run of 61,000 queries with a baseline stays under 6 MB and says what is left out', {
  timeout: 240_000,
}, async () => {
  const page = await large()
  expect(Buffer.byteLength(page)).toBeLessThan(6_000_000)
  expect(page).toContain('is kept for 1,000 of these 61,000 queries')
})

test.skipIf(none)(
  `a run of 61,000 queries opens and lists them all${none ? ' (skipped: no Chromium)' : ''}`,
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'audition-report-'))
    const file = join(folder, 'large.html')
    writeFileSync(file, await large())
    const browser = await launchChromium()
    try {
      const { page, said } = await openWatched(browser, pathToFileURL(file).href)
      await page.evaluate(`document.getElementById('queries').scrollIntoView()`)
      await page.waitForSelector('#query-list .row')
      expect(await page.innerText('#query-count')).toBe('61,000 of 61,000 queries')
      expect(await page.locator('#query-list .row').count()).toBeLessThan(60)
      await page.click('#queries >> text=Last')
      await page.click('#query-list .row >> nth=-1')
      await page.waitForSelector('#query-title')
      expect(await page.innerText('dialog')).toContain('part-34_query_60999')
      expect(said).toEqual([])
    } finally {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
