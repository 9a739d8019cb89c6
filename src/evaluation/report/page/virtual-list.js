import { element } from './dom.js'

/** Rows drawn above and below those in view. */
const spare = 6

/**
 * A list box that draws only the rows in view: rows of one height, moved through with the arrow keys, Page Up and Down,
 * Home and End; Enter or a click opens one.
 *
 * @param {HTMLElement} box - with role `listbox`; its style gives rows their height in `--row-height`
 * @param {{ fill: (row: HTMLElement, at: number) => void, open: (at: number) => void }} rows
 */
export function virtualList(box, { fill, open }) {
  const spacer = element('div', { class: 'spacer', role: 'presentation' })
  const ruler = element('div', { class: 'ruler', 'aria-hidden': 'true' })
  box.replaceChildren(ruler, spacer)
  let count = 0
  let active = 0
  let height = 64
  /** @type {Map<number, HTMLElement>} */
  const drawn = new Map()

  /** @param {number} at */
  const rowAt = (at) => {
    const row = element('div', {
      id: `${box.id}-${at}`,
      class: 'row',
      role: 'option',
      'aria-posinset': String(at + 1),
      'aria-setsize': String(count),
    })
    row.style.transform = `translateY(${at * height}px)`
    row.addEventListener('click', () => {
      activate(at)
      open(at)
    })
    fill(row, at)
    return row
  }

  const draw = () => {
    const from = Math.max(0, Math.floor(box.scrollTop / height) - spare)
    const to = Math.min(count, Math.ceil((box.scrollTop + box.clientHeight) / height) + spare)
    for (const [at, row] of drawn) {
      if (at >= from && at < to) continue
      row.remove()
      drawn.delete(at)
    }
    for (let at = from; at < to; at++) {
      const row = drawn.get(at) ?? rowAt(at)
      row.setAttribute('aria-selected', String(at === active))
      if (!drawn.has(at)) spacer.append(row)
      drawn.set(at, row)
    }
    if (drawn.has(active)) box.setAttribute('aria-activedescendant', `${box.id}-${active}`)
    else box.removeAttribute('aria-activedescendant')
  }

  /** @param {number} at */
  function activate(at) {
    active = Math.max(0, Math.min(count - 1, at))
    const top = active * height
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight
    draw()
  }

  const redraw = () => {
    height = ruler.offsetHeight || height
    spacer.style.height = `${count * height}px`
    for (const row of drawn.values()) row.remove()
    drawn.clear()
    draw()
  }

  box.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(redraw).observe(box)
  box.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const page = Math.max(1, Math.floor(box.clientHeight / height) - 1)
    /** @type {Readonly<Record<string, number>>} */
    const moves = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    }
    const to = moves[event.key]
    if (to !== undefined) activate(to)
    else if ((event.key === 'Enter' || event.key === ' ') && count > 0) open(active)
    else return
    event.preventDefault()
  })

  return {
    /** Shows that many rows, from the top. @param {number} rows */
    show(rows) {
      count = rows
      active = 0
      box.scrollTop = 0
      redraw()
    },
    activate,
  }
}
