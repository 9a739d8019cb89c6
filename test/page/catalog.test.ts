import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledCatalog } from '../../src/catalog/bundled-parts.ts'
import { chromiumPath, launchChromium } from '../fakes/chromium.ts'
import { type PageHouse, pageHouse, writeAgents } from './page-house.ts'

const profile = (name: string): string =>
  `profile: audition/v1\nname: ${name}\ndescription: Tells the total of the month.\nbackbone: null\n`

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
    await page.getByRole('button', { name: 'Search it too' }).click()
    await page.getByRole('heading', { name: /^\d\d+ cards were read in/ }).waitFor()
    await page.getByText('is off, now that').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('every source has a state, and what was left out stays to be read', async () => {
    const [folder, broken] = [join(house.folder, 'mixed'), join(house.folder, 'broken')]
    for (const one of [folder, broken]) mkdirSync(one, { recursive: true })
    writeFileSync(join(folder, 'good.yaml'), profile('good'))
    writeFileSync(join(folder, 'bad.yaml'), profile('bad').replace('description:', 'describes:'))
    writeFileSync(join(broken, 'mcp.json'), '{"mcpServers": {"broken"')
    await house.app.index({ locations: [folder, broken, join(house.folder, '.claude.json')] })
    const { page } = await house.open(browser, { at: '#/catalog' })
    const row = (source: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name: source }) })
    await row('gone').getByText('failed').waitFor()
    await row('gone').getByText('tried, in vain').waitFor()
    await row('catalog-profiles').getByText('ships with Audition').waitFor()
    await row('desk').getByRole('link', { name: 'ok' }).waitFor()
    await page.getByRole('heading', { name: 'In folders that were read, and not in search' }).waitFor()
    await sees(page, /broken\/mcp\.json/)
    await row('mixed').getByRole('link', { name: '2 problems' }).click()
    await page.getByRole('heading', { name: 'mixed', level: 1 }).waitFor()
    await sees(page, 'bad.yaml')
    await page.getByRole('link', { name: 'good', exact: true }).waitFor()
    await page.context().close()
  })

  test('a search within a source finds its cards alone, until one leaves it', async () => {
    const { page } = await house.open(browser, { at: '#/source?id=desk' })
    await page.getByRole('link', { name: 'Search its tools' }).click()
    await page.getByText('Only in').waitFor()
    await page.getByRole('searchbox').fill('add numbers')
    await page.locator('.result').first().waitFor()
    const ids = () => page.locator('.result .id').allTextContents()
    await expect.poll(async () => (await ids()).every((id) => id.startsWith('desk/'))).toBe(true)
    await page.reload()
    await page.locator('.result').first().waitFor()
    expect((await ids()).every((id) => id.startsWith('desk/'))).toBe(true)
    await page.getByRole('button', { name: 'Search everywhere' }).click()
    await expect.poll(async () => (await ids()).some((id) => !id.startsWith('desk/'))).toBe(true)
    await page.context().close()
  })

  test('on a narrow window nothing of the catalog lies off to the side', async () => {
    const { page } = await house.open(browser, {
      at: '#/catalog',
      options: { viewport: { width: 380, height: 800 } },
    })
    await page.getByRole('button', { name: 'Forget desk' }).waitFor()
    const off = `[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth)`
    expect(await page.evaluate(off)).toEqual([0])
    const { x, width } = (await page.getByRole('button', { name: 'Forget desk' }).boundingBox())!
    expect(x + width).toBeLessThanOrEqual(380)
    await page.context().close()
  })
})
