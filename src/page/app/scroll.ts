import { useEffect } from 'preact/hooks'

/** What a step of the history keeps beside its address. */
type Kept = { readonly y?: number } | null

/** So long what is still coming may push the place away, ms. */
const patienceMs = 3_000
const byReader = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

const keptY = (): number => (history.state as Kept)?.y ?? 0

/**
 * Back, forward and refresh show a view where it was read: each step of the history keeps how far down that was. A link to another view
 * shows it from its head.
 *
 * @param view - another one is another view, whatever else the address says
 */
export function useScroll(view: string): void {
  useEffect(() => {
    if (keptY() === 0) scrollTo(0, 0)
  }, [view])
  useEffect(() => {
    history.scrollRestoration = 'manual'
    let isRestoring = false
    const keep = (): void => {
      if (!isRestoring && keptY() !== scrollY) history.replaceState({ y: scrollY } satisfies Kept, '')
    }
    const grown = new ResizeObserver(() => scrollTo(0, keptY()))
    const stop = (): void => {
      clearTimeout(ending)
      grown.disconnect()
      isRestoring = false
    }
    let ending: ReturnType<typeof setTimeout> | undefined
    const restore = (): void => {
      stop()
      if (keptY() === 0) return
      isRestoring = true
      grown.observe(document.body)
      ending = setTimeout(stop, patienceMs)
    }
    restore()
    addEventListener('popstate', restore)
    addEventListener('scrollend', keep)
    addEventListener('click', keep, { capture: true })
    for (const name of byReader) addEventListener(name, stop, { passive: true })
    return () => {
      stop()
      removeEventListener('popstate', restore)
      removeEventListener('scrollend', keep)
      removeEventListener('click', keep, { capture: true })
      for (const name of byReader) removeEventListener(name, stop)
    }
  }, [])
}
