import { useEffect, useState } from 'preact/hooks'
import type { IndexPlan } from '../../server/api/job-results.ts'
import { call, type Failure } from './api.ts'
import { failureOf, useAction, useJob } from './data.ts'
import { Bar, Chip, counted, Problem, Notice } from './parts.tsx'
import { go, to } from './place.ts'

/** What would be read and started, and the one button that does it. */
export function Planning({ location }: { location: string }) {
  const asked = location === '' ? {} : { location }
  const plan = usePlan(location)
  const [refused, refuse] = useState<ReadonlySet<string>>(new Set())
  const { failure, isBusy, run } = useAction()
  const start = (servers: IndexPlan['servers']): void =>
    run(async () => {
      const digests = servers.map(({ digest }) => digest)
      const [agreed, declined] = [
        digests.filter((one) => !refused.has(one)),
        digests.filter((one) => refused.has(one)),
      ]
      const { id } = await call('index', { ...asked, agreed, declined })
      go(to('catalog', { job: id }), 'replace')
    })
  const turn = (digest: string): void =>
    refuse((now) => {
      const next = new Set(now)
      if (!next.delete(digest)) next.add(digest)
      return next
    })
  return (
    <section class="panel" aria-label="What will be indexed">
      <Elsewhere location={location} />
      <Problem failure={plan.failure} />
      <Notice notice={plan.error} />
      {plan.found && <Found found={plan.found} isOfHosts={location === ''} />}
      {plan.isLooking && <Looking done={plan.done} total={plan.total} />}
      {plan.result && (
        <>
          {/^https?:/i.test(location) && (
            <p class="note">Nothing was fetched from there yet. It is when you index it.</p>
          )}
          <Servers plan={plan.result} refused={refused} turn={turn} />
          <Problem failure={failure} />
          <p>
            <button
              type="button"
              class="button primary"
              disabled={isBusy}
              onClick={() => start(plan.result?.servers ?? [])}
            >
              {location === '' ? 'Index what my hosts have' : `Index ${location}`}
            </button>
          </p>
        </>
      )}
    </section>
  )
}

/** Where else to look than in the configurations of hosts. */
function Elsewhere({ location }: { location: string }) {
  const [place, type] = useState(location)
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault()
        go(to('catalog', { index: 'yes', location: place.trim() }))
      }}
    >
      <label class="grow">
        A file, a folder or a URL; empty: what your hosts have
        <input
          value={place}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          placeholder="~/agents, openapi.json, https://…"
        />
      </label>
      <button type="submit" class="button">
        Look there
      </button>
    </form>
  )
}

/** How far the search for servers is. */
const Looking = ({ done, total }: { done: number; total: number }) => (
  <div class="loading" role="status">
    {total > 0 ? (
      <Bar
        label={`Looked at ${done} of ${counted(total, 'place')} for MCP servers`}
        value={done}
        max={total}
      />
    ) : (
      'Looking for MCP servers…'
    )}
  </div>
)

/** What would be indexed, as far as it is known. */
function usePlan(location: string) {
  const [id, began] = useState<string | null>(null)
  const [refusal, refuse] = useState<Failure>()
  useEffect(() => {
    const stop = new AbortController()
    began(null)
    refuse(undefined)
    call('planIndex', location === '' ? {} : { location }, stop.signal).then(
      (job) => began(job.id),
      (error: unknown) => {
        if (!stop.signal.aborted) refuse(failureOf(error))
      },
    )
    return () => stop.abort()
  }, [location])
  const { job, steps, failure = refusal } = useJob('plan', id)
  const last = steps.at(-1)
  return {
    failure,
    error: job?.error,
    result: job?.result,
    found: job?.result?.found ?? last?.found,
    isLooking: failure === undefined && (job === undefined || job.state === 'running'),
    done: last?.done ?? 0,
    total: last?.total ?? 0,
  }
}

const Found = ({ found, isOfHosts }: { found: IndexPlan['found']; isOfHosts: boolean }) =>
  found.length > 0 ? (
    <>
      <h2>Found here</h2>
      <ul class="plain places">
        {found.map(({ what, path }) => (
          <li>
            {what} <code dir="auto">{path}</code>
          </li>
        ))}
      </ul>
    </>
  ) : isOfHosts ? (
    <p>No AI host has a configuration here. The catalog that ships with Audition will be read.</p>
  ) : null

type ServersProps = { plan: IndexPlan; refused: ReadonlySet<string>; turn: (digest: string) => void }

const Servers = ({ plan: { servers, within }, refused, turn }: ServersProps) =>
  servers.length === 0 ? null : (
    <>
      <h2>{counted(servers.length, 'MCP server')} to start, to list their tools</h2>
      <p class="note">Held by: {within}. Leave out what you do not want to be started: that is remembered.</p>
      <ul class="plain servers">
        {servers.map(({ name, starts, digest, said }) => (
          <li>
            <label>
              <input type="checkbox" checked={!refused.has(digest)} onChange={() => turn(digest)} />
              <span>
                <strong>{name}</strong>{' '}
                {said === 'changed' && <Chip tone="warn">changed since you agreed</Chip>}
                {said === 'declined' && <Chip>you said no before</Chip>}
                <code dir="auto">{starts}</code>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </>
  )
