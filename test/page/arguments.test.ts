import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchChromium } from '../fakes/chromium.ts'
import { type PageHouse, pageHouse } from './page-house.ts'

const none = chromiumPath === undefined

describe.skipIf(none)(`tools that are called with something${none ? ' (skipped: no Chromium)' : ''}`, () => {
  let browser: Browser
  let house: PageHouse

  beforeAll(async () => {
    ;[browser, house] = await Promise.all([launchChromium(), pageHouse()])
    await house.app.index({ locations: [join(house.folder, '.claude.json')] })
  })
  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  test('the inputs that a tool needs are shown, and what does not fit was not started', async () => {
    const { page } = await house.open(browser, { at: '#/audition?cards=desk/list_invoices' })
    await page.getByText('string, required: Such as 2026-11.').waitFor()
    await page.getByRole('button', { name: 'Allow exactly this' }).click()
    await page.getByText('would start:').waitFor({ state: 'detached' })
    const start = () => page.getByRole('button', { name: 'Audition it', exact: true }).click()
    await page.getByLabel('One JSON object').fill('{"style": "burnt"}')
    await start()
    await page.getByRole('alert').filter({ hasText: 'The arguments belong to no task.' }).waitFor()
    await page.getByLabel(/^Task/).fill('List what is not paid')
    await start()
    await page.getByRole('heading', { name: 'Not run: the arguments do not fit it' }).waitFor()
    await page.getByText('Nothing was started.').waitFor()
    expect(await page.getByText('Its end was not seen.').count()).toBe(0)
    expect(await page.getByText(/run was left/).count()).toBe(0)
    await page.getByLabel('One JSON object').fill('["2026-11"]')
    await start()
    await page.getByRole('alert').filter({ hasText: 'The arguments are no JSON object.' }).waitFor()
    await page.getByLabel('One JSON object').fill('{"month": "2026-11"}')
    await start()
    await page.getByText('Brown: 120, Green: 80').first().waitFor()
    await page.context().close()
  })

  test('what is recommended is told apart by its id, and a toolkit is not offered to be auditioned', async () => {
    const { page } = await house.open(browser, { at: '#/compose?q=list+unpaid+invoices&job=none' })
    const toolkit = page.locator('.profile').filter({ has: page.getByRole('link', { name: 'desk/desk' }) })
    await toolkit.getByText('It lends its tools, and does not run.').waitFor()
    expect(await toolkit.getByRole('link', { name: /^Audition it/ }).count()).toBe(0)
    await page.context().close()
  })
})
