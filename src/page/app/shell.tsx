import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useToken } from './api.ts'
import { useData } from './data.ts'
import { Problem } from './parts.tsx'
import { go, to, usePlace } from './place.ts'
import type { ViewProps } from './session.ts'
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
  { name: 'held', title: 'Held', view: Held, isOwners: true },
  { name: 'permits', title: 'Permits', view: Permits, isOwners: true },
  { name: 'evaluations', title: 'Evaluations', view: Evaluations },
  { name: 'findable', title: 'Findable', view: Findable, isOwners: true },
]

/** The page: where one can go, and the view that is open. */
export function Shell() {
  const place = usePlace()
  const session = useData('session', {})
  const [isOpen, open] = useState(false)
  const main = useRef<HTMLElement>(null)
  const here = views.find(({ name }) => name === place.view) ?? views[0]!
  useEffect(() => {
    open(false)
    document.title = here.name === 'find' ? 'Audition' : `${here.title} · Audition`
    // Where a view begins with a field, that is where typing goes; elsewhere a screen reader hears the heading.
    if (here.name !== 'find') main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [here.name])
  if (session.failure !== undefined && (session.value === undefined || session.failure.status === 401))
    return <Door status={session.failure.status} retry={session.reload} failure={session.failure} />
  if (session.value === undefined) return null
  const { role, held, version } = session.value
  const shown = views.filter(({ isOwners, isHidden }) => !isHidden && (!isOwners || role === 'owner'))
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="side">
        <a class="brand" href={to('find')}>
          <img src="/page/icon.svg" alt="" width="24" height="24" /> Audition
        </a>
        <button
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
            <a href={to(name)} aria-current={here.name === name ? 'page' : undefined}>
              {title}
              {name === 'held' && held > 0 && <span class="count">{held}</span>}
            </a>
          ))}
          <div class="foot">
            <Theme />
            <small>
              {role === 'owner' ? 'Your machine' : 'Shared by a server'} · {version}
            </small>
          </div>
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Problem failure={session.failure} />
        <here.view place={place} session={session.value} />
      </main>
    </div>
  )
}

type DoorProps = { status: number; failure: Parameters<typeof Problem>[0]['failure']; retry: () => void }

/** Where a token is asked for, or the server is not there. */
function Door({ status, failure, retry }: DoorProps) {
  const [given, give] = useState('')
  const enterWith = (event: Event): void => {
    event.preventDefault()
    useToken(given.trim())
    retry()
    go(location.hash || '#/', 'replace')
  }
  return (
    <main class="door">
      <img src="/page/icon.svg" alt="" width="48" height="48" />
      <h1>Audition</h1>
      {status === 401 ? (
        <form onSubmit={enterWith}>
          <p>
            This server asks who you are. Give the token that you were given for it. With{' '}
            <code>audition ui</code> the newest address that it printed opens the page.
          </p>
          <label>
            Token
            <input
              type="password"
              autocomplete="off"
              value={given}
              onInput={({ currentTarget }) => give(currentTarget.value)}
            />
          </label>
          <button type="submit" class="button primary" disabled={given.trim() === ''}>
            Open
          </button>
        </form>
      ) : (
        <>
          <Problem failure={failure} />
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        </>
      )}
    </main>
  )
}

/** Colours follow the system until the reader chooses otherwise. */
function Theme() {
  const [theme, set] = useState(localStorage.getItem('theme') ?? 'auto')
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }, [theme])
  return (
    <label class="theme">
      <span class="unseen">Theme</span>
      <select value={theme} onInput={({ currentTarget }) => set(currentTarget.value)}>
        <option value="auto">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
