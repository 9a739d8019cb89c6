import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { locked } from './api.ts'
import { useData } from './data.ts'
import { Door } from './door.tsx'
import { Empty, Head, Problem } from './parts.tsx'
import { to, usePlace } from './place.ts'
import { PermitWords, type Session, type ViewProps } from './session.ts'
import { Theme } from './theme.tsx'
import { Auditioning } from './views/audition.tsx'
import { CardView } from './views/card.tsx'
import { Catalog } from './views/catalog.tsx'
import { Compare } from './views/compare.tsx'
import { Compose } from './views/compose.tsx'
import { Evaluations } from './views/evaluations.tsx'
import { Find } from './views/find.tsx'
import { Findable } from './views/findable.tsx'
import { Held } from './views/held.tsx'
import { Models } from './views/models.tsx'
import { Permits } from './views/permits.tsx'
import { Record, Transcript } from './views/record.tsx'
import { Report } from './views/report.tsx'
import { SourceView } from './views/source.tsx'

type View = {
  readonly name: string
  readonly title: string
  readonly view: ComponentType<ViewProps>
  /** Shown to the owner alone. */
  readonly isOwners?: true
  /** Reached from other views. */
  readonly isHidden?: true
}

const views: readonly View[] = [
  { name: 'find', title: 'Find', view: Find },
  { name: 'card', title: 'Card', view: CardView, isHidden: true },
  { name: 'compare', title: 'Compare', view: Compare, isHidden: true },
  { name: 'compose', title: 'Compose', view: Compose },
  { name: 'audition', title: 'Audition', view: Auditioning },
  { name: 'record', title: 'Record', view: Record },
  { name: 'transcript', title: 'What happened', view: Transcript, isHidden: true },
  { name: 'models', title: 'Models', view: Models },
  { name: 'catalog', title: 'Catalog', view: Catalog },
  { name: 'source', title: 'Source', view: SourceView, isHidden: true },
  { name: 'held', title: 'Held', view: Held, isOwners: true },
  { name: 'permits', title: 'Permits', view: Permits, isOwners: true },
  { name: 'evaluations', title: 'Evaluations', view: Evaluations },
  { name: 'report', title: 'Report', view: Report, isHidden: true },
  { name: 'findable', title: 'Findable', view: Findable, isOwners: true },
]

/** What an address opens that names no view. */
const nowhere: View = {
  name: 'nowhere',
  title: 'There is no such page',
  view: () => (
    <>
      <Head title="There is no such page" />
      <Empty title="The address names nothing that is here">
        <a href={to('find')}>Go to Find</a>
      </Empty>
    </>
  ),
}

/** What an address opens that is for the owner, where somebody else asks. */
const closed = ({ name, title }: View): View => ({
  name,
  title,
  view: () => (
    <>
      <Head title={title} />
      <Empty title="Your token does not allow this">
        <p>
          It changes what may start or be found on the machine that serves this. Only the person there may,
          with <code>audition ui</code>.
        </p>
        <a href={to('find')}>Go to Find</a>
      </Empty>
    </>
  ),
})

/** The page: where one can go, and the view that is open. */
export function Shell() {
  const place = usePlace()
  const session = useData('session', {})
  const main = useRef<HTMLElement>(null)
  const asked = views.find(({ name }) => name === place.view) ?? nowhere
  const role = session.value?.role
  const here = useMemo(() => (asked.isOwners && role !== 'owner' ? closed(asked) : asked), [asked, role])
  useScroll(`${here.name} ${place.query.get('id')}`)
  useEffect(() => {
    addEventListener(locked, session.reload)
    return () => removeEventListener(locked, session.reload)
  }, [])
  useEffect(() => {
    document.title = here.name === 'find' ? 'Audition' : `${here.title} · Audition`
    // Where a view begins with a field, that is where typing goes; elsewhere a screen reader hears the heading.
    if (here.name !== 'find') main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [here.name])
  if (session.failure !== undefined && (session.value === undefined || session.failure.status === 401))
    return <Door retry={session.reload} failure={session.failure} />
  if (session.value === undefined) return null
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Side here={here.name} session={session.value} />
      <main id="main" ref={main} tabIndex={-1}>
        <Problem failure={session.failure} />
        <PermitWords.Provider value={session.value.permitWords}>
          <here.view place={place} session={session.value} />
        </PermitWords.Provider>
      </main>
    </div>
  )
}

/** Where one can go. On a phone a button opens it, and Escape closes it. */
function Side({ here, session: { role, held, version } }: { here: string; session: Session }) {
  const [isOpen, open] = useState(false)
  const menu = useRef<HTMLButtonElement>(null)
  const shown = views.filter(({ isOwners, isHidden }) => !isHidden && (!isOwners || role === 'owner'))
  useEffect(() => open(false), [here])
  // Before the next paint, so that no key comes between.
  useLayoutEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      open(false)
      menu.current?.focus()
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
  return (
    <header class="side">
      <a class="brand" href={to('find')}>
        <img src="/page/icon.svg" alt="" width="24" height="24" /> Audition
      </a>
      <button
        ref={menu}
        type="button"
        class="button menu"
        aria-expanded={isOpen}
        aria-controls="nav"
        onClick={() => open(!isOpen)}
      >
        Menu
      </button>
      <nav id="nav" class={isOpen ? 'open' : undefined} aria-label="Views">
        {shown.map(({ name, title }) => (
          <a href={to(name)} aria-current={here === name ? 'page' : undefined}>
            {title}
            {name === 'held' && held > 0 && <span class="count">{held}</span>}
          </a>
        ))}
        <div class="foot">
          <Theme />
          <small>
            {role === 'owner' ? 'Your machine' : 'Shared by a server'} · {version}
          </small>
          {role !== 'owner' && (
            <small>Held cards, permits and findability are for the person at that machine.</small>
          )}
        </div>
      </nav>
    </header>
  )
}

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
function useScroll(view: string): void {
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
