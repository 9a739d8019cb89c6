import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledCatalog } from '../../src/catalog/bundled-parts.ts'
import { chromiumPath, launchChromium } from '../fakes/chromium.ts'
import { type PageHouse, pageHouse, writeAgents } from './page-house.ts'

const none = chromiumPath === undefined

/** What a newcomer does with the catalog, from the one that ships with Audition to sources of his own. */
describe.skipIf(none)(`the catalog in a browser${none ? ' (skipped: no Chromium)' : ''}`, () => {
  let browser: Browser
  let house: PageHouse

  beforeAll(async () => {
    ;[browser, house] = await Promise.all([launchChromium(), pageHouse()])
    const found = [...bundledCatalog]
    await house.app.index({ locations: found, found, harvest: 'unwanted' })
  })
  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const look = async (page: Page, place: string) => {
    await page.getByLabel(/^A file, a folder or a URL/).fill(place)
    await page.getByRole('button', { name: 'Look there' }).click()
  }
  const index = async (page: Page, place: string) => {
    await look(page, place)
    await page.getByRole('button', { name: `Index ${place}` }).click()
  }

  test('a path that is not there is told before anything is offered', async () => {
    const { page } = await house.open(browser, { at: '#/catalog?index=yes' })
    await look(page, '/no/such/place')
    await page.getByRole('alert').filter({ hasText: '/no/such/place does not exist.' }).waitFor()
    expect(await page.getByRole('button', { name: /^Index/ }).count()).toBe(0)
    await page.context().close()
  })

  test('an address that does not answer is no success', async () => {
    const { page } = await house.open(browser, { at: '#/catalog?index=yes' })
    await index(page, 'http://127.0.0.1:9/')
    await page
      .getByRole('heading', { name: /^Nothing was read: http:\/\/127\.0\.0\.1:9\/ could not/ })
      .waitFor()
    expect(await page.getByText('Check the address').isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Find something' }).count()).toBe(0)
    await page.context().close()
  })

  test('the first own folder: the page says that the bundled catalog is off, and brings it back', async () => {
    const agents = writeAgents(house.folder, { right: 'It is 200.' })
    const { page } = await house.open(browser, { at: '#/catalog?index=yes' })
    await index(page, agents)
    await page.getByRole('heading', { name: /^1 card was read in/ }).waitFor()
    await sees(page, /^The bundled catalog \(\d+ cards\) is off, now that you have sources of your own/)
    await page.getByRole('button', { name: 'Search it too' }).first().click()
    await page.getByRole('heading', { name: /^\d\d+ cards were read in/ }).waitFor()
    expect(await page.getByText('is off, now that').count()).toBe(0)
    await page.context().close()
  })
})
