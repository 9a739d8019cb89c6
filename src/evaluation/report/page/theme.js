import { byId } from './dom.js'

const themes = /** @type {const} */ (['auto', 'light', 'dark'])

/**
 * Colours follow the system until the reader chooses otherwise.
 *
 * @param {() => void} changed - called when other colours hold
 */
export function watchTheme(changed) {
  const button = byId('theme', HTMLButtonElement)
  let chosen = 0
  const show = () => {
    const theme = themes[chosen] ?? 'auto'
    button.textContent = `Theme: ${theme}`
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
  button.addEventListener('click', () => {
    chosen = (chosen + 1) % themes.length
    show()
    changed()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed)
  // Paper is white and narrow, and charts have to be drawn before the page takes the style of print.
  const { dataset } = document.documentElement
  window.addEventListener('beforeprint', () => {
    dataset.theme = 'light'
    dataset.printing = ''
    changed()
  })
  window.addEventListener('afterprint', () => {
    delete dataset.printing
    show()
    changed()
  })
  show()
  button.hidden = false
}
