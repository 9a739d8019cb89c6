import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty, Problem } from '../parts.tsx'
import { go, to } from '../place.ts'
import { type Kind, useSearch } from '../searching.ts'
import { hostOf, type Session, type ViewProps } from '../session.ts'
import { Results } from './results.tsx'

const examples = [
  'list the open issues of a repository',
  'turn a web page into clean text',
  'review a contract and list the risky clauses',
]

/** Finds tools and agents while somebody types. */
export function Find({ place: { query }, session }: ViewProps) {
  const asked = query.get('q') ?? ''
  const kind: Kind = query.get('kind') === 'agent' ? 'agent' : 'tool'
  const host = hostOf(query.get('host'), session)
  const source = query.get('source') ?? ''
  const picked = query.getAll('pick')
  const [text, type] = useState(asked)
  const field = useRef<HTMLInputElement>(null)
  const { found, failure, isLate } = useSearch({ query: text.trim(), kind, host, source })
  const show: Show = (next, how) =>
    go(to('find', { q: text.trim(), kind, host, source, pick: picked, ...next }), how)
  const pick = (id: string): void => {
    const others = picked.filter((one) => one !== id)
    show({ pick: others.length < picked.length ? others : [...picked.slice(1 - mostPicked), id] }, 'replace')
  }
  const written = useRef(asked)
  // Back and forward, and links, change the text; typing changes the address, a moment later.
  useEffect(() => {
    if (asked !== written.current) type(asked)
    written.current = asked
  }, [asked])
  const write = (): void => {
    if (text.trim() === written.current) return
    written.current = text.trim()
    show({}, 'replace')
  }
  useEffect(() => {
    const wait = setTimeout(write, 200)
    return () => clearTimeout(wait)
  }, [text])
  useEffect(() => {
    field.current?.focus()
    const find = (event: KeyboardEvent): void => onKey(event, field.current)
    addEventListener('keydown', find)
    return () => removeEventListener('keydown', find)
  }, [])
  return (
    // Who follows a link at once shall find the text again when he comes back.
    <div class="find" onClickCapture={write}>
      <h1 class="unseen">Find a tool or an agent</h1>
      <SearchBar {...{ text, type, field, kind, host, session, show }} />
      {source !== '' && <Within source={source} leave={() => show({ source: '' }, 'push')} />}
      {picked.length > 0 && <Picked ids={picked} clear={() => show({ pick: [] }, 'replace')} />}
      <Problem failure={failure?.notice.isEmpty ? undefined : failure} />
      {session.counts === null ? (
        <Welcome session={session} />
      ) : text.trim() === '' ? (
        source === '' && <Suggestions session={session} kind={kind} />
      ) : found === undefined ? (
        failure === undefined && <p class="loading">Searching…</p>
      ) : (
        <Results found={found} isLate={isLate} host={host} picked={picked} pick={pick} />
      )}
    </div>
  )
}

type Show = (
  next: { q?: string; kind?: string; host?: string; source?: string; pick?: readonly string[] },
  how: 'push' | 'replace',
) => void
type SearchBarProps = {
  text: string
  type: (text: string) => void
  field: RefObject<HTMLInputElement | null>
  kind: Kind
  host: string
  session: Session
  show: Show
}

const SearchBar = ({ text, type, field, kind, host, session, show }: SearchBarProps) => (
  <search class="searchbar">
    <label class="big">
      <span class="unseen">What do you need?</span>
      <input
        ref={field}
        type="search"
        placeholder="What do you need?"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget: { value } }) => type(value)}
      />
    </label>
    <div class="line">
      <fieldset class="tabs">
        <legend class="unseen">What is searched</legend>
        {(['tool', 'agent'] as const).map((one) => (
          <button type="button" aria-pressed={kind === one} onClick={() => show({ kind: one }, 'push')}>
            {one === 'tool' ? 'Tools' : 'Agents'}
          </button>
        ))}
      </fieldset>
      {session.counts !== null && session.hosts.some(({ isHere }) => isHere) && (
        <label class="choice">
          Calls for{' '}
          <select
            value={host}
            onInput={({ currentTarget }) => show({ host: currentTarget.value }, 'replace')}
          >
            {session.hosts
              .filter((one) => one.isHere || one.name === host)
              .map(({ name, title }) => (
                <option value={name}>{title}</option>
              ))}
          </select>
        </label>
      )}
    </div>
  </search>
)

/** That only the cards of one source are searched. */
const Within = ({ source, leave }: { source: string; leave: () => void }) => (
  <p class="picked" role="status">
    Only in{' '}
    <a href={to('source', { id: source })} dir="auto">
      {source}
    </a>{' '}
    <button type="button" class="button" onClick={leave}>
      Search everywhere
    </button>
  </p>
)

/** As many as one audition runs. */
const mostPicked = 10

/** What was chosen: two are compared side by side, more by an audition. */
const Picked = ({ ids, clear }: { ids: readonly string[]; clear: () => void }) => (
  <p class="picked" role="status">
    {ids.length === 1 ? `${ids[0]}, and another one?` : ids.join(', ')}{' '}
    {ids.length === 2 && (
      <a class="button primary" href={to('compare', { cards: ids })}>
        Compare them
      </a>
    )}
    {ids.length > 2 && (
      <a class="button primary" href={to('audition', { cards: ids })}>
        Audition all {ids.length}
      </a>
    )}
    <button type="button" class="button" onClick={clear}>
      Clear
    </button>
  </p>
)

/** A slash goes to the field; arrow keys go on to the candidates and among them; Escape goes back. */
function onKey(event: KeyboardEvent, field: HTMLInputElement | null): void {
  const { key, target } = event
  const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  const links = [...document.querySelectorAll<HTMLElement>('.result h3 a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (key === 'Escape' || (key === '/' && !isTyping)) {
    event.preventDefault()
    field?.select()
  }
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || (at < 0 && document.activeElement !== field)) return
  event.preventDefault()
  const next = at + (key === 'ArrowDown' ? 1 : -1)
  if (next < 0) field?.focus()
  else links[next]?.focus()
}

function Suggestions({ session: { counts }, kind }: { session: Session; kind: Kind }) {
  return (
    <Empty title="Say it in a sentence">
      <p>
        {counts?.tools.toLocaleString('en')} tools and {counts?.agents.toLocaleString('en')} agents are
        indexed. Plain words do; a story of several steps is split.
      </p>
      <ul class="plain examples">
        {examples.map((q) => (
          <li>
            <a href={to('find', { q, kind })}>{q}</a>
          </li>
        ))}
      </ul>
    </Empty>
  )
}

const Welcome = ({ session: { role } }: { session: Session }) => (
  <Empty title="Welcome. Nothing is indexed yet">
    {role === 'owner' ? (
      <>
        <p>
          Audition reads the MCP servers, sub-agents and skills that your AI hosts have already, and finds the
          right one for a task. Nothing starts without your word.
        </p>
        <a class="button primary" href={to('catalog', { index: 'yes' })}>
          Index what my hosts have
        </a>
      </>
    ) : (
      <p>Whoever runs this server has still to index something.</p>
    )}
  </Empty>
)
