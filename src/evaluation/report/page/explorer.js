import { byId, element } from './dom.js'
import { wantedQueries } from './filter.js'
import { counted } from './format.js'
import { readDetails } from './query-details.js'
import { readList } from './query-list.js'
import { fillRow, queryView } from './query-view.js'
import { inflate } from './unpack.js'
import { virtualList } from './virtual-list.js'

/** @typedef {import('../report-facts.ts').PageFacts} PageFacts */
/** @typedef {import('./filter.js').Wanted} Wanted */

/** Typing pauses this long, in milliseconds, before the list follows. */
const typingPause = 120

/** A column of the page, inflated. @param {string} name */
const column = (name) => inflate(document.querySelector(`script[data-column="${name}"]`)?.textContent ?? '')

/** What the filters say. @param {HTMLFormElement} form @returns {Wanted} */
function wantedBy(form) {
  const given = new FormData(form)
  const value = (/** @type {string} */ name) => String(given.get(name) ?? '')
  return {
    text: value('text'),
    part: value('part'),
    group: value('group'),
    match: value('match'),
    change: value('change'),
    reasons: value('reasons'),
    order: value('order'),
  }
}

/** Calls once and keeps the promise. @template Result @param {() => Promise<Result>} read */
function once(read) {
  /** @type {Promise<Result> | undefined} */
  let kept
  return () => {
    kept ??= read()
    return kept
  }
}

/**
 * The list of queries: inflated when it comes near, filtered, and opened query by query.
 *
 * @param {PageFacts} facts
 */
export function explorer(facts) {
  const form = byId('filters', HTMLFormElement)
  const box = byId('query-list', HTMLElement)
  const status = byId('query-count', HTMLElement)
  const dialog = byId('query-dialog', HTMLDialogElement)
  const details = once(() => readDetails(facts.queries, column))
  /** @type {readonly number[]} */
  let shown = []

  const ready = once(async () => {
    status.textContent = 'Unpacking the queries …'
    const list = await readList(facts.queries, column)
    const rows = virtualList(box, {
      fill: (row, at) => fillRow(facts, list, row, shown[at] ?? 0),
      open: (at) => void open(at),
    })
    const follow = () => {
      shown = wantedQueries(list, wantedBy(form))
      status.textContent = `${counted(shown.length)} of ${counted(list.length)} queries`
      rows.show(shown.length)
    }
    let typing = 0
    form.addEventListener('input', (event) => {
      clearTimeout(typing)
      if (event.target instanceof HTMLInputElement) typing = window.setTimeout(follow, typingPause)
      else follow()
    })
    form.addEventListener('submit', (event) => event.preventDefault())
    form.hidden = false
    box.hidden = false
    follow()
    return { list, rows }
  })

  /** Shows the query at a place of the list. @param {number} at */
  async function open(at) {
    const { list, rows } = await ready()
    const detailsOf = await details()
    const query = shown[at]
    if (query === undefined) return
    rows.activate(at)
    const step = (/** @type {string} */ label, /** @type {number} */ to) => {
      const button = element('button', { type: 'button' }, label)
      button.disabled = shown[to] === undefined
      button.addEventListener('click', () => void open(to))
      return button
    }
    const close = element('button', { type: 'button' }, 'Close')
    close.addEventListener('click', () => dialog.close())
    const bar = element(
      'div',
      { class: 'bar' },
      step('Previous', at - 1),
      step('Next', at + 1),
      element('span', { class: 'note' }, `${counted(at + 1)} of ${counted(shown.length)}`),
      close,
    )
    dialog.replaceChildren(
      bar,
      element('div', { class: 'view' }, ...queryView(facts, list, detailsOf(query), query)),
    )
    dialog.onkeydown = ({ key }) => {
      if (key === 'ArrowLeft' && shown[at - 1] !== undefined) void open(at - 1)
      if (key === 'ArrowRight' && shown[at + 1] !== undefined) void open(at + 1)
    }
    if (!dialog.open) dialog.showModal()
    byId('query-title', HTMLElement).focus()
  }

  /** Shows one query, whatever the filters say. @param {string} part @param {string} id */
  async function openById(part, id) {
    const { list } = await ready()
    const query = list.ids.findIndex(
      (known, at) => known === id && facts.queries.parts[list.part[at] ?? -1] === part,
    )
    if (query === -1) {
      status.textContent = 'That query is not kept in this report; the run’s own file has it.'
      status.scrollIntoView()
      return
    }
    if (!shown.includes(query)) {
      form.reset()
      form.dispatchEvent(new Event('input'))
    }
    await open(shown.indexOf(query))
  }

  for (const button of document.querySelectorAll('button.show')) {
    if (!(button instanceof HTMLButtonElement)) continue
    const { part = '', query = '' } = button.dataset
    button.addEventListener('click', () => void openById(part, query))
    button.hidden = false
  }

  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      near.disconnect()
      void ready()
    },
    { rootMargin: '600px' },
  )
  near.observe(byId('queries', HTMLElement))
}
