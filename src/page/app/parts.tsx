import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { withRemedy } from '../../domain/remedy-error.ts'
import { gradeOf, type Outcome } from '../../domain/outcome.ts'
import type { NotRun } from '../../probing/run/probe-report.ts'
import { call, type Failure } from './api.ts'
import { type Loaded, useAction } from './data.ts'
import { to, usePlace } from './place.ts'

/** The head of a view. Its heading is what the reader hears when the view changes. */
export const Head = ({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string
  children?: ComponentChildren
}) => (
  <header class="head">
    <div>
      <h1 tabIndex={-1}>{title}</h1>
      {lead && <p class="lead">{lead}</p>}
    </div>
    {children}
  </header>
)

/** What went wrong, and what to do. */
export const Notice = ({
  notice,
}: {
  notice: { message: string; remedy?: string | undefined } | undefined
}) =>
  notice === undefined ? null : (
    <p class="problem" role="alert">
      <strong>{notice.message}</strong> {notice.remedy}
    </p>
  )

/** What went wrong when the server was asked; where a job is in the way, the way to it. */
export const Problem = ({ failure }: { failure: Failure | undefined }) => (
  <>
    <Notice notice={failure?.notice} />
    {failure?.notice.job && (
      <p class="line">
        <JobLink id={failure.notice.job} /> <StopJob id={failure.notice.job} />
      </p>
    )}
  </>
)

/** To a job of the view that is open. */
export const JobLink = ({ id }: { id: string }) => <a href={to(usePlace().view, { job: id })}>Watch it</a>

/** Ends a job. */
export function StopJob({ id }: { id: string }) {
  const { failure, isBusy, run } = useAction()
  const stop = () =>
    run(async () => {
      await call('stop', { id })
    })
  return (
    <>
      <button type="button" class="button" disabled={isBusy} onClick={stop}>
        Stop
      </button>
      <Notice notice={failure?.notice} />
    </>
  )
}

/** How far a job is, with a button that ends it. */
export const JobBar = ({ id, ...bar }: { id: string; label: string; value: number; max: number }) => (
  <div class="line">
    <div class="grow">
      <Bar {...bar} />
    </div>
    <StopJob id={id} />
  </div>
)

/** A place where nothing is yet, with what to do about it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Shows what was loaded; before that that it is coming, or why it is not. */
export function Ready<Value>({
  from,
  children,
}: {
  from: Loaded<Value>
  children: (value: Value) => ComponentChildren
}) {
  if (from.value !== undefined)
    return (
      <div class="ready" aria-busy={from.isLoading}>
        <Problem failure={from.failure} />
        {children(from.value)}
      </div>
    )
  if (from.failure?.notice.isEmpty)
    return (
      <Empty title="Nothing is indexed yet">
        <p>Read in what your AI hosts have, and everything here comes alive.</p>
        <a class="button primary" href={to('catalog')}>
          Index my tools and agents
        </a>
      </Empty>
    )
  if (from.failure) return <Problem failure={from.failure} />
  return (
    <p class="loading" aria-live="polite">
      Loading…
    </p>
  )
}

/** That something was asked for and is about to begin. */
export const Starting = ({ isBusy }: { isBusy: boolean }) =>
  isBusy ? (
    <p class="loading" role="status">
      Starting…
    </p>
  ) : null

/** A text to copy, on one line or several. */
export function Code({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, copied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => copied(false), 1_600)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <span class="code">
      <code dir="auto">{text}</code>
      <button
        type="button"
        class="copy"
        aria-label={`${label}: ${text.slice(0, 80)}`}
        onClick={() => void navigator.clipboard.writeText(text).then(() => copied(true))}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span class="unseen" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  )
}

export const Chip = ({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent'
  children: ComponentChildren
}) => <span class={`chip ${tone}`}>{children}</span>

/** How far something is, for eyes and for screen readers. */
export const Bar = ({ label, value, max }: { label: string; value: number; max: number }) => (
  <div class="progress">
    <progress aria-label={label} value={value} max={Math.max(1, max)} />
    <span>{label}</span>
  </div>
)

/** Names with their values; those without one are left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {facts.map(
      ([name, value]) =>
        value !== undefined &&
        value !== null &&
        value !== '' && (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

export const CardLink = ({ id }: { id: string }) => (
  <a class="id" dir="auto" href={to('card', { id })}>
    {id}
  </a>
)

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A moment: how long ago, and exactly when one points at it. */
export function When({ time }: { time: string | null | undefined }) {
  if (!time) return <>never</>
  const seconds = (Date.parse(time) - Date.now()) / 1_000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
  return (
    <time dateTime={time} title={moments.format(new Date(time))}>
      {Math.abs(seconds) > 60 * 86_400
        ? moments.format(new Date(time))
        : ago.format(Math.round(seconds / size), unit)}
    </time>
  )
}

export const seconds = (value: number | null): string =>
  value === null ? '–' : value < 1 ? `${Math.round(value * 1_000)} ms` : `${value.toFixed(1)} s`

export const dollars = (value: number | null): string => (value === null ? '–' : `$${value.toFixed(4)}`)

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** How a run ended, in a word. */
export function Grade({ outcome: { verdict, ending, use } }: { outcome: Outcome }) {
  const grade = gradeOf(verdict)
  if (grade !== null) return <Chip tone={grade >= 4 ? 'good' : 'bad'}>{`grade ${grade}`}</Chip>
  if (use !== undefined) return <Chip tone={use === 'worked' ? 'good' : 'warn'}>{use}</Chip>
  return (
    <Chip tone={ending === 'answered' ? 'plain' : 'bad'}>
      {ending === 'answered' ? 'not graded' : ending}
    </Chip>
  )
}

/** A long text that opens when it is wanted. */
export const Source = ({ title, text }: { title: string; text: string }) => (
  <details>
    <summary>{title}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
    <pre tabIndex={0}>{text}</pre>
  </details>
)

/** Why a candidate was not run, and what to do. */
export const NotRunText = ({ card, why }: { card: string; why: NotRun }) => (
  <p class="note">
    <strong>{card}</strong>:{' '}
    {why.kind === 'permission'
      ? `it may not start: ${why.missing.join(', ')}.`
      : withRemedy(why.message, why.remedy)}
  </p>
)
