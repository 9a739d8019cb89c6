import type { Page } from 'playwright-core'
import type { PageStage } from './stage.ts'

/** A view, and how a person gets there. */
type ViewStep = {
  readonly view: string
  /** Where he is before. */
  readonly from: string
  readonly prepare?: (page: Page) => Promise<unknown>
  /** The click or key that is timed. */
  readonly act: (page: Page) => Promise<unknown>
  /** JavaScript: whether the view has begun to answer, such as by its heading. */
  readonly responds: string
  /** JavaScript: whether all of it is there. */
  readonly shows: string
  /** Work that goes on, and shows how far it is. */
  readonly isJob?: true
}

const link = (view: string) => (page: Page) => page.click(`nav a[href="#/${view}"]`)
const button = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** A view of the list to the left. */
const listed = (view: string, content = 'true'): ViewStep => ({
  view,
  from: view === 'record' ? '#/permits' : '#/record',
  act: link(view),
  responds: `headed('${view}')`,
  shows: `headed('${view}') && isQuiet() && ${content}`,
})

/** What is opened, by a click or a key, over a stage. */
export function viewSteps({ tools, agents }: PageStage, query: string): readonly ViewStep[] {
  const q = `q=${encodeURIComponent(query)}`
  const pair = tools.slice(0, 2).map((id) => encodeURIComponent(id))
  const all = agents.map((id) => `cards=${encodeURIComponent(id)}`).join('&')
  const filtered = (view: string, label: RegExp): ViewStep => ({
    view: view === 'record' ? 'leaderboard of a task' : 'models for a task',
    from: `#/${view}`,
    prepare: (page) => page.getByLabel(label).fill('invoices'),
    act: (page) => page.keyboard.press('Enter'),
    responds: `location.hash.includes('task=')`,
    shows: `location.hash.includes('task=') && isOther() && isQuiet()`,
  })
  const results = `has('section[aria-label=Results][aria-busy=false]')`
  return [
    { ...listed('find', `has('.examples')`), responds: `has('.find')`, shows: `has('.examples')` },
    {
      view: 'find, agents instead of tools',
      from: `#/find?${q}`,
      act: button('Agents'),
      responds: `has('.tabs button:last-child[aria-pressed=true]')`,
      shows: `location.hash.includes('kind=agent') && ${results}`,
    },
    {
      view: 'card in full',
      from: `#/find?${q}`,
      prepare: (page) => page.locator('.result h3 a').first().focus(),
      act: (page) => page.keyboard.press('Enter'),
      responds: `location.hash.startsWith('#/card')`,
      shows: `has('article.card') && isQuiet()`,
    },
    {
      view: 'compare',
      from: `#/find?${q}&pick=${pair.join('&pick=')}`,
      act: (page) => page.click('.picked a'),
      responds: `headed('compare')`,
      shows: `has('table.sides')`,
    },
    listed('compose'),
    {
      view: 'compose, a task',
      from: `#/compose?${q}`,
      act: button('Compose'),
      responds: `has('main > .loading') || has('.columns')`,
      shows: `has('.columns section:last-child :is(.profile, .empty)') && isQuiet()`,
      isJob: true,
    },
    listed('audition'),
    {
      view: 'audition, three on a task',
      from: `#/audition?${all}&task=${encodeURIComponent('What is the total?')}&expect=200`,
      prepare: allowAll,
      act: (page) => page.click('form .primary'),
      responds: `has('main > .loading') || has('progress')`,
      shows: `has('.result-of-probe')`,
      isJob: true,
    },
    listed('record', `has('tbody')`),
    filtered('record', /^Only tasks/),
    {
      view: 'record of a card',
      from: '#/record',
      act: (page) => page.locator('tbody a').first().click(),
      responds: `has('main .panel h2')`,
      shows: `has('.chart') && isQuiet()`,
    },
    {
      view: 'transcript',
      from: `#/card?id=${agents[0]}`,
      act: (page) => page.getByText('What happened').first().click(),
      responds: `headed('what happened')`,
      shows: `headed('what happened') && has('.events')`,
    },
    listed('models', `has('#curve')`),
    filtered('models', /^For the task/),
    listed('catalog', `has('tbody')`),
    {
      view: 'catalog, what would be indexed',
      from: '#/catalog',
      act: (page) => page.click('.head .primary'),
      responds: `has('section[aria-label="What will be indexed"]')`,
      shows: `has('section[aria-label="What will be indexed"] button.primary') && isQuiet()`,
    },
    listed('held', `has('article.held')`),
    listed('permits', `has('.permits')`),
    listed('evaluations', `has('tbody')`),
    listed('findable', `has('option:nth-child(2)')`),
    {
      view: 'findable, a source',
      from: '#/findable',
      prepare: chooseSmallest,
      act: button('Measure'),
      responds: `has('main > .loading')`,
      shows: `has('.scroll') || has('.problem')`,
      isJob: true,
    },
  ]
}

/** The source with the fewest tools: what is measured grows with them. */
async function chooseSmallest(page: Page): Promise<void> {
  const texts = await page.locator('option').allTextContents()
  const sizes = texts.map((text) => Number(/\((\d+)\)$/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY))
  await page.getByLabel('Source').selectOption(texts[sizes.indexOf(Math.min(...sizes))]!)
}

/** The user's word for what the candidates start, once. */
async function allowAll(page: Page): Promise<void> {
  await page.waitForTimeout(300)
  const asked = page.getByRole('button', { name: 'Allow exactly this' })
  for (let left = await asked.count(); left > 0; left = await asked.count()) {
    await asked.first().click()
    await asked.nth(left - 1).waitFor({ state: 'detached' })
  }
}

/** Milliseconds from the input to the painted frame that begins to answer, and to the one with all of it. */
export type ViewTime = { readonly responded: number; readonly shown: number }

/** Opens a view once. */
export async function openedView(page: Page, step: ViewStep): Promise<ViewTime> {
  // Two frames: by then the view says that it is busy, where it is.
  await page.evaluate(`new Promise((resolve) => {
    location.hash = ${JSON.stringify(step.from)}
    requestAnimationFrame(() => requestAnimationFrame(resolve))
  })`)
  await page.locator('main :is(.loading, [aria-busy=true])').first().waitFor({ state: 'detached' })
  await step.prepare?.(page)
  await page.evaluate(watching(step))
  await step.act(page)
  return page.evaluate<ViewTime>('window.watched')
}

/** In the page: notes when the input came, and looks at each frame, once it is painted, for what should be there. */
const watching = ({ responds, shows }: ViewStep): string => `(() => {
  const has = (selector) => document.querySelector(selector) !== null
  const headed = (title) => document.querySelector('main h1')?.textContent.toLowerCase() === title
  const isQuiet = () => !has('main :is(.loading, [aria-busy=true])')
  const rows = () => document.querySelector('tbody')?.textContent
  const before = rows()
  const isOther = () => rows() !== before
  window.watched = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The view did not come in 30 s: ' + location.hash)), 30_000)
    let began = 0
    let responded = 0
    const note = (event) => { began ||= event.timeStamp }
    for (const kind of ['click', 'keydown']) addEventListener(kind, note, { capture: true, once: true })
    const painted = new MessageChannel()
    let isThere = false
    painted.port1.onmessage = () => {
      const now = performance.now() - began
      responded ||= now
      if (isThere) resolve({ responded, shown: now })
      else requestAnimationFrame(look)
    }
    const look = () => {
      isThere = began > 0 && (${shows})
      if (isThere || (began > 0 && (${responds}))) painted.port2.postMessage(0)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
})()`
