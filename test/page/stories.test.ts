import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { source as axe } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/domain/outcome.ts'
import { chromiumPath, launchChromium } from '../fakes/chromium.ts'
import { type PageHouse, pageHouse, writeAgents } from './page-house.ts'

const none = chromiumPath === undefined

/** What users do with the page, one after the other, in one home: from an empty store to a hired agent. */
describe.skipIf(none)(`the page in a browser${none ? ' (skipped: no Chromium)' : ''}`, () => {
  let browser: Browser
  let house: PageHouse

  beforeAll(async () => {
    ;[browser, house] = await Promise.all([launchChromium(), pageHouse()])
  })
  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const until = <Value>(seen: () => Value) => expect.poll(seen, { timeout: 15_000 })
  const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`)

  test('1: an empty store is filled by one button, and says what failed and why', async () => {
    const { page, asked, said, origin } = await house.open(browser)
    await sees(page, 'Nothing is indexed yet')
    await page.getByRole('link', { name: 'Index what my hosts have' }).click()
    await sees(page, /^MCP servers .*of Claude Code/)
    await sees(page, '2 MCP servers to start')
    await press(page, 'Index what my hosts have')
    await sees(page, /^\d+ cards were read in/)
    await sees(page, /In search now: \d+ tools and \d+ agents?/)
    await sees(page, '1 source failed')
    await sees(page, /MCP server "gone"/)
    await page.getByRole('link', { name: 'Find something' }).click()
    await page.getByRole('searchbox').waitFor()
    expect(asked.filter((url) => !url.startsWith(origin))).toEqual([])
    expect(said).toEqual([])
    await page.context().close()
  })

  test('2: a sentence finds a tool, with why, and its exact call is copied', async () => {
    const { page, said } = await house.open(browser)
    await page.keyboard.type('which invoices are not paid')
    await page.locator('.result').first().getByRole('heading', { name: 'list_invoices' }).waitFor()
    await page.locator('.result').first().getByText('Why, and from where').click()
    await sees(page, 'Words found')
    await page
      .locator('.result')
      .first()
      .getByRole('button', { name: /^Copy the call/ })
      .click()
    await until(() => page.evaluate('navigator.clipboard.readText()')).toBe('mcp__desk__list_invoices')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'list_invoices', level: 1 }).waitFor()
    await sees(page, 'Such as 2026-11.')
    await page.reload()
    await page.getByRole('heading', { name: 'list_invoices', level: 1 }).waitFor()
    await page.goBack()
    await until(() => page.getByRole('searchbox').inputValue()).toBe('which invoices are not paid')
    expect(said).toEqual([])
    await page.context().close()
  })

  test('3: what nothing serves is composed, read, run, watched and kept', async () => {
    const { page } = await house.open(browser, { at: '#/compose' })
    await page.getByLabel('The task').fill('add up the unpaid invoices and give the total')
    await press(page, 'Compose')
    const profile = page.locator('.profile', { hasText: 'desk/add_numbers' }).first()
    await profile.getByText('Profile as YAML').click()
    await profile.getByText('profile: audition/v1').waitFor()
    await profile.getByRole('button', { name: 'Run it' }).click()
    await sees(page, 'would start:')
    await press(page, 'Allow exactly this')
    await page.getByText('would start:').waitFor({ state: 'detached' })
    await page.getByLabel('A right answer says').fill('200')
    await press(page, 'Audition it')
    await sees(page, /calls .*add_numbers/)
    await sees(page, 'The total is 200.')
    await sees(page, 'It worked')
    await page.getByRole('link', { name: /^See it/ }).click()
    await page.getByRole('heading', { name: 'Record' }).waitFor()
    await sees(page, 'grade 5')
    await page.context().close()
  })

  test('4: three agents on one task, live, with who is ahead and how sure that is', async () => {
    const agents = writeAgents(house.folder, { right: 'It is 200.', wrong: 'It is 100.', silent: '' })
    await house.app.index({ locations: [agents], as: 'mine' })
    const cards = ['mine/right', 'mine/wrong', 'mine/silent']
    const { page } = await house.open(browser, {
      at: `#/audition?${cards.map((id) => `cards=${id}`).join('&')}`,
    })
    for (let left = 3; left > 0; left -= 1) {
      await until(() => page.getByRole('button', { name: 'Allow exactly this' }).count()).toBe(left)
      await press(page, 'Allow exactly this')
    }
    await until(() => page.getByRole('button', { name: 'Allow exactly this' }).count()).toBe(0)
    await page.getByLabel(/^Task/).fill('What is the total of the month?')
    await page.getByLabel('A right answer says').fill('200')
    await page.getByLabel('Times').selectOption('3')
    await press(page, 'Audition 3 candidates')
    await sees(page, 'Ahead, not for sure: mine/right')
    await sees(page, /grades above .*95% interval .* of 3 runs each/)
    expect(await page.locator('.lane').count()).toBe(3)
    await sees(page, 'Ask more often to be sure')
    await page.reload()
    await sees(page, 'Ahead, not for sure: mine/right')
    await page.context().close()
  })

  test('5: a tool that changed is held; its difference is read, refused, and then accepted', async () => {
    house.say('Write a customer a stern reminder to pay an invoice.')
    await house.app.index({ locations: [`${house.folder}/.claude.json`], refresh: true })
    const { page } = await house.open(browser)
    await page.getByRole('link', { name: /Held\s*1/ }).click()
    await page.locator('del', { hasText: 'friendly' }).waitFor()
    await page.locator('ins', { hasText: 'stern' }).waitFor()
    await press(page, 'Refuse')
    await page.getByRole('status').filter({ hasText: 'Refused: desk/remind_customer' }).waitFor()
    await until(() => page.evaluate('document.activeElement.textContent')).toBe('Held')
    await sees(page, 'refused by you')
    const config = [`${house.folder}/.claude.json`]
    const reread = () => house.app.index({ locations: config, refresh: true, harvest: 'agreed' })
    await reread()
    await page.reload()
    await sees(page, 'refused by you')
    expect(await page.getByRole('link', { name: /Held\s*1/ }).count()).toBe(0)
    house.say('Write a customer a very stern reminder to pay an invoice.')
    await reread()
    await page.reload()
    await page.locator('ins', { hasText: 'very stern' }).waitFor()
    expect(await page.getByText('refused by you').count()).toBe(0)
    await page.getByRole('link', { name: /Held\s*1/ }).waitFor()
    await press(page, /^Accept/)
    await sees(page, 'Nothing is held')
    await goTo(page, '#/card?id=desk/remind_customer')
    await sees(page, 'stern reminder')
    await page.context().close()
  })

  test('6: permits are read, added and withdrawn in words; two tabs agree', async () => {
    const { page, origin } = await house.open(browser, { at: '#/permits' })
    const other = await page.context().newPage()
    await other.goto(`${origin}/#/permits`)
    await page.getByLabel(/^Id of an agent/).fill('a2a:https://agents.example')
    await press(page, 'Show what it would start')
    await press(page, 'Allow it')
    await sees(page, 'Agents at https://agents.example')
    await sees(other, 'Agents at https://agents.example')
    await other.getByRole('button', { name: 'Withdraw a2a:https://agents.example' }).click()
    await page.getByText('Agents at https://agents.example').waitFor({ state: 'detached' })
    await page.getByLabel(/^Id of an agent/).fill('desk/add_numbers')
    await press(page, 'Show what it would start')
    await sees(page, /may start already|would start/)
    await page.context().close()
  })

  test('7: the record of an agent over weeks, filtered by task', async () => {
    const record = await house.app.record()
    const outcome = (at: number): Outcome => ({
      id: `week-${at}`,
      card: 'mine/right',
      cardHash: 'x',
      kind: 'agent',
      executor: 'command',
      ending: 'answered',
      task: at % 2 === 0 ? 'count the letters' : 'sum the invoices',
      time: new Date(Date.now() - at * 7 * 86_400_000).toISOString(),
      origin: 'probe',
      verdict: { grade: at > 2 ? 2 : 5, reason: 'as it was', judge: 'reference' },
      seconds: 1,
      tokens: null,
      cost: null,
    })
    await record.add([1, 2, 3, 4].map(outcome))
    const { page } = await house.open(browser, { at: '#/record?card=mine/right' })
    await until(() => page.locator('.chart circle').count()).toBe(7)
    await page.getByLabel('Only tasks with these words').fill('letters')
    await press(page, 'Filter')
    await until(() => page.locator('.chart circle').count()).toBe(2)
    await page.reload()
    await until(() => page.locator('.chart circle').count()).toBe(2)
    await page.context().close()
  })

  test('8: which model for a budget: the curve of success and price', async () => {
    const place = join(house.folder, 'models')
    mkdirSync(place)
    const models = [
      { id: 'post/sorter', name: 'Sorter', price_in_per_m: 1, price_out_per_m: 1 },
      { id: 'post/clerk', name: 'Clerk', price_in_per_m: 20, price_out_per_m: 20 },
    ]
    const outcomes = [1, 2, 3, 4].flatMap((at) => [
      { query: `Sort the letters of day ${at}`, model: 'post/sorter', score: 0 },
      { query: `Sort the letters of day ${at}`, model: 'post/clerk', score: 1 },
    ])
    const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n')
    writeFileSync(join(place, 'models.jsonl'), lines(models))
    writeFileSync(join(place, 'outcomes.jsonl'), lines(outcomes))
    await house.app.index({ locations: [join(place, 'models.jsonl'), join(place, 'outcomes.jsonl')] })
    const { page } = await house.open(browser, { at: '#/models' })
    await until(() => page.locator('#curve circle').count()).toBe(2)
    await page.getByLabel(/^For the task/).fill('sort letters')
    await page.getByLabel(/^Most dollars/).fill('5')
    await press(page, 'Compare')
    await until(() => page.locator('#curve circle').count()).toBe(1)
    await page.getByRole('rowheader', { name: /Sorter/ }).waitFor()
    await page.context().close()
  })

  test('9: what cannot be found, with the wording that was measured to help', async () => {
    const { page } = await house.open(browser, { at: '#/findable' })
    await page.getByLabel('Source').selectOption('desk')
    const requests = ['dunning letter', 'dun the debtor', 'send a dunning notice', 'dunning of Brown'].map(
      (text) => `${text} => remind_customer`,
    )
    const asked = page.getByLabel(/^What people ask/)
    await asked.fill(requests.join('\n'))
    await asked.blur()
    await page.reload()
    await until(() => asked.inputValue()).toBe(requests.join('\n'))
    expect(await page.getByLabel('Source').inputValue()).toBe('desk')
    await press(page, 'Measure')
    await sees(page, 'Found among the first five')
    await sees(page, 'Wording that was measured to help')
    await page
      .locator('.chip', { hasText: /among the first five [\d.]+% → [\d.]+%/ })
      .first()
      .waitFor()
    await page.context().close()
  })

  test('10: a teammate gives the token of a shared server and sees what it allows', async () => {
    const { page } = await house.open(browser, { role: 'caller', isKnown: false })
    const isFocused = () => page.getByLabel('Token').evaluate((field) => field.matches(':focus'))
    await until(isFocused).toBe(true)
    await page.keyboard.type('a wrong one')
    await press(page, 'Open')
    await page.getByRole('alert').filter({ hasText: 'That token is not right' }).waitFor()
    expect(await page.getByLabel('Token').inputValue()).toBe('')
    await until(isFocused).toBe(true)
    await page.getByLabel('Token').fill('a-token-of-the-test')
    await press(page, 'Open')
    await sees(page, 'Shared by a server')
    expect(await page.getByRole('link', { name: /^(?:Held|Permits|Findable)/ }).count()).toBe(0)
    await goTo(page, '#/card?id=desk/add_numbers')
    await page.getByRole('heading', { name: 'add_numbers' }).waitFor()
    expect(await page.getByText(house.folder).count()).toBe(0)
    await page.context().close()
  })

  test('nothing is lost when the connection drops', async () => {
    const { page } = await house.open(browser, { at: '#/evaluations' })
    await press(page, /Look for what cannot be found/)
    await until(() => page.url()).toContain('job=')
    await page.context().setOffline(true)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await page.context().setOffline(false)
    await page.locator('.panel h2', { hasText: 'Your own index' }).waitFor()
    await sees(page, /^\d+ cards? cannot be found|^Nothing is lost:|^No card has an example/)
    await goTo(page, '#/findable')
    await page.getByRole('heading', { name: 'Findable' }).waitFor()
    await goTo(page, '#/evaluations')
    await sees(page, /^\d+ cards? cannot be found|^Nothing is lost:|^No card has an example/)
    await page.context().close()
  })

  test('two are compared: what they are, and how they did on the same tasks', async () => {
    const { page, said } = await house.open(browser, { at: '#/?q=total+of+the+month&kind=agent' })
    for (const id of ['mine/right', 'mine/wrong'])
      await page.getByRole('button', { name: `Compare ${id}` }).click()
    await page.getByRole('link', { name: 'Compare them' }).click()
    await page.getByRole('rowheader', { name: 'What is the total of the month?' }).waitFor()
    expect(
      await page.locator('tr', { hasText: 'What is the total' }).locator('strong').allTextContents(),
    ).toEqual(['5.0', '1.0'])
    await page.getByRole('link', { name: 'Audition both' }).click()
    await until(() => page.locator('.candidates li').count()).toBe(2)
    await page.goBack()
    await page.goBack()
    await page.getByRole('button', { name: 'Compare mine/right', pressed: true }).waitFor()
    expect(said).toEqual([])
    await page.context().close()
  })

  test('the server ends and is started again: the page says so, and goes on by itself', async () => {
    const { page } = await house.open(browser, { at: '#/card?id=mine/right' })
    await page.getByRole('heading', { name: 'right', level: 1 }).waitFor()
    await house.away(async () => {
      await goTo(page, '#/permits')
      await sees(page, 'Audition does not answer.')
    })
    await sees(page, 'Nothing else is started')
    await page.getByText('Audition does not answer.').waitFor({ state: 'detached' })
    await sees(page, 'Allow something')
    await page.context().close()
  })

  test('a token that is not taken any more brings the door, at the same address', async () => {
    const { page } = await house.open(browser, { role: 'caller', at: '#/record', isKnown: false })
    await page.getByLabel('Token').fill('a-token-of-the-test')
    await press(page, 'Open')
    await page.getByRole('heading', { name: 'Record' }).waitFor()
    await page.route('**/api/v1/*', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer old' } }),
    )
    await goTo(page, '#/evaluations')
    await page.getByLabel('Token').waitFor()
    expect(page.url()).toMatch(/#\/evaluations$/)
    await page.unrouteAll()
    await page.getByLabel('Token').fill('a-token-of-the-test')
    await press(page, 'Open')
    await page.getByRole('heading', { name: 'Evaluations' }).waitFor()
    await page.context().close()
  })

  test('an address that names nothing says so, and leads to Find', async () => {
    const { page } = await house.open(browser, { at: '#/nowhere' })
    for (const at of ['#/nowhere', '#/card/does-not-exist']) {
      await goTo(page, at)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }
    await page.getByRole('link', { name: 'Go to Find' }).click()
    await page.getByRole('searchbox').waitFor()
    await goTo(page, '#/card')
    await page.getByRole('heading', { name: 'Which card?' }).waitFor()
    await goTo(page, '#/card?id=mine/right&host=netscape')
    await page.getByRole('alert').filter({ hasText: '"host" is none of: ' }).waitFor()
    await page.context().close()
  })

  test('after Withdraw one hears of it, and goes on with the next permit', async () => {
    const { page } = await house.open(browser, { at: '#/permits' })
    const items = page.locator('.permits.list > li')
    await items.nth(1).waitFor()
    const next = await items.nth(1).textContent()
    await items.first().getByRole('button').click()
    await page.getByRole('status').filter({ hasText: 'Withdrawn: ' }).waitFor()
    await until(() => page.evaluate('document.activeElement.textContent')).toBe(next)
    await page.context().close()
  })

  test('a phone: Escape closes the menu', async () => {
    const { page } = await house.open(browser, { options: { viewport: { width: 390, height: 844 } } })
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    await page.getByRole('link', { name: 'Compose' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Compose' }).waitFor({ state: 'hidden' })
    expect(await menu.evaluate((button) => button.matches(':focus'))).toBe(true)
    await page.context().close()
  })

  test.each([1280, 390])('a name of 300 letters fits into %i pixels', async (width) => {
    const place = writeAgents(join(house.folder, 'long'), { long: 'It is long.' })
    const file = join(place, 'long.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('name: long', `name: ${'zebra'.repeat(60)}`))
    await house.app.index({ locations: [place], as: 'long' })
    const { page } = await house.open(browser, {
      at: '#/?kind=agent&q=total+of+the+month',
      options: { viewport: { width, height: 844 } },
    })
    await page.locator('.result', { hasText: 'zebrazebra' }).first().waitFor()
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(over)).toBe(0)
    await page.locator('.result h3 a', { hasText: 'zebrazebra' }).first().click()
    await page.getByRole('heading', { name: /^zebrazebra/, level: 1 }).waitFor()
    expect(await page.evaluate(over)).toBe(0)
    await page.context().close()
  })

  const views = [
    'compare?cards=mine/right&cards=mine/wrong',
    'record?card=mine/right',
    '',
    'compose',
    'audition?cards=mine/right',
    'record',
    'catalog?index=yes',
    'held',
    'permits',
    'evaluations',
    'findable',
    'models',
    'card?id=desk/add_numbers',
    '?q=unpaid+invoices',
  ]
  const looks = [
    { how: 'light, wide', options: { colorScheme: 'light' } },
    { how: 'dark, a phone', options: { colorScheme: 'dark', viewport: { width: 390, height: 844 } } },
  ] as const
  test.each(looks)('every view is clean for axe, and fits ($how)', async ({ options }) => {
    const { page, asked, origin, said } = await house.open(browser, { options })
    await page.evaluate(axe).catch(() => page.addScriptTag({ content: axe }))
    const [ran] = (await (await house.app.record()).list({ cards: ['mine/right'] })).filter(
      ({ executor, origin }) => executor === 'command' && origin === 'probe',
    )
    for (const view of [...views, `transcript?outcome=${ran?.id}`]) {
      await goTo(page, `#/${view}`)
      await page.waitForLoadState('networkidle')
      await until(() => page.locator('.loading').count()).toBe(0)
      const found = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
      )
      expect(found, view).toEqual([])
      const over = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(over, view).toBe(0)
    }
    expect(asked.filter((url) => !url.startsWith(origin))).toEqual([])
    expect(said).toEqual([])
    await page.context().close()
  })
})
