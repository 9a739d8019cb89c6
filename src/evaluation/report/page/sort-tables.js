import { element } from './dom.js'

/** What a row is sorted by in a column: a number where the cell has one. @param {HTMLTableRowElement} row @param {number} column */
function sortKey(row, column) {
  const text = row.cells[column]?.dataset.sort ?? ''
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? number : text
}

/** Numbers before texts, each in their order. @param {number | string} a @param {number | string} b */
function inOrder(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  return a.localeCompare(b, 'en', { numeric: true })
}

/** @param {HTMLTableElement} table @param {number} column @param {'ascending' | 'descending'} direction */
function sortBy(table, column, direction) {
  const body = table.tBodies[0]
  if (body === undefined) return
  const turn = direction === 'ascending' ? 1 : -1
  const rows = [...body.rows].sort((a, b) => turn * inOrder(sortKey(a, column), sortKey(b, column)))
  body.append(...rows)
}

/** Makes a table's heads into buttons: numbers fall at first, names rise. @param {HTMLTableElement} table */
function makeSortable(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  for (const [column, head] of heads.entries()) {
    const button = element('button', { type: 'button' }, ...head.childNodes)
    head.append(button)
    button.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort')
      const first = head.classList.contains('number') ? 'descending' : 'ascending'
      const other = first === 'descending' ? 'ascending' : 'descending'
      const direction = before === first ? other : first
      for (const one of heads) one.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', direction)
      sortBy(table, column, direction)
    })
  }
}

/** Every table of the page can be sorted. */
export function sortTables() {
  for (const table of document.querySelectorAll('table.sortable'))
    if (table instanceof HTMLTableElement) makeSortable(table)
}
