import type { ComposedView } from '../../../server/api/job-results.ts'
import { call } from '../api.ts'
import { useAction, useData, useJob } from '../data.ts'
import { CardLink, Chip, Empty, Head, Problem, Ready, Source, Starting, Notice } from '../parts.tsx'
import { go, to, useField } from '../place.ts'
import type { ViewProps } from '../session.ts'

/** A narrative in; recommended and composed agents out; run one and watch it. */
export function Compose({ place: { query }, session: { role, languageModel } }: ViewProps) {
  const asked = query.get('q') ?? ''
  const job = query.get('job')
  const [text, type] = useField(asked)
  const { failure, isBusy, run } = useAction()
  const compose = (): void =>
    run(async () => {
      const { id } = await call('compose', { task: text.trim() })
      go(to('compose', { q: text.trim(), job: id }))
    })
  return (
    <>
      <Head
        title="Compose"
        lead="Tell the whole task. You get the agents that you have for it, and agents put together from your own tools."
      />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          compose()
        }}
      >
        <label class="field">
          The task
          <textarea
            value={text}
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) compose()
            }}
            placeholder="Every Monday: read the invoices of last week, add up what is overdue, and remind the customers."
          />
        </label>
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy || text.trim() === ''}>
            Compose
          </button>
          {languageModel === null && (
            <span class="note">Without AUDITION_LLM the agents lend their tools, and do not run.</span>
          )}
        </div>
      </form>
      <Problem failure={failure} />
      <Starting isBusy={isBusy} />
      {job !== null && asked !== '' && (
        <div class="columns">
          <Recommended task={asked} />
          <Composed id={job} task={asked} isOwner={role === 'owner'} />
        </div>
      )}
    </>
  )
}

function Recommended({ task }: { task: string }) {
  const loaded = useData('search', { kind: 'agent', query: task, k: 5 })
  return (
    <section>
      <h2>Recommended</h2>
      <Ready from={loaded}>
        {({ candidates, match, note }) => (
          <>
            {match !== 'good' && <p class="note">{note || 'None that you have surely does it.'}</p>}
            <ol class="plain">
              {candidates.map(({ id, name, title, description, kind, signals: { record } }) => (
                <li class="profile">
                  <h3>
                    <a href={to('card', { id })} dir="auto">
                      {title ?? name}
                    </a>
                  </h3>
                  <p class="chips">
                    <CardLink id={id} />
                    <Chip>{kind}</Chip>
                    {record && record.runs > 0 && (
                      <Chip tone={record.speaks === 'against' ? 'bad' : 'good'}>
                        worked {record.successes} of {record.runs}
                      </Chip>
                    )}
                  </p>
                  <p dir="auto">{description}</p>
                  {kind === 'toolkit' ? (
                    <p class="note">It lends its tools, and does not run.</p>
                  ) : (
                    <a href={to('audition', { cards: [id], task })}>Audition it on this task</a>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Ready>
    </section>
  )
}

function Composed({ id, task, isOwner }: { id: string; task: string; isOwner: boolean }) {
  const { job, failure } = useJob('compose', id)
  return (
    <section>
      <h2>Composed</h2>
      <Problem failure={failure} />
      {job?.state === 'running' && (
        <p class="loading" role="status">
          Putting agents together…
        </p>
      )}
      <Notice notice={job?.error} />
      {job?.result && <Profiles job={id} task={task} composition={job.result} isOwner={isOwner} />}
    </section>
  )
}

type ProfilesProps = { job: string; task: string; composition: ComposedView; isOwner: boolean }

function Profiles({ job, task, composition: { profiles, notes, facets }, isOwner }: ProfilesProps) {
  const { failure, isBusy, run } = useAction()
  const runIt = (name: string): void =>
    run(async () => {
      const { card, notes: why } = await call('keep', { job, name })
      if (card === null) throw new Error(why.join(' ') || 'It was written, and is not in search.')
      go(to('audition', { cards: [card], task }))
    })
  if (profiles.length === 0)
    return (
      <Empty title="Nothing could be put together">
        {notes.map((note) => (
          <p>{note}</p>
        ))}
      </Empty>
    )
  return (
    <>
      {notes.map((note) => (
        <p class="note">{note}</p>
      ))}
      <Problem failure={failure} />
      <ol class="plain">
        {profiles.map((profile) => (
          <Profile
            profile={profile}
            facets={facets}
            isBusy={isBusy}
            run={isOwner ? () => runIt(profile.name) : undefined}
          />
        ))}
      </ol>
    </>
  )
}

type ProfileOf = ComposedView['profiles'][number]
type ProfileProps = {
  profile: ProfileOf
  /** Steps of the task. */
  facets: readonly string[]
  isBusy: boolean
  /** Undefined where it is not for the reader to run it. */
  run: (() => void) | undefined
}

/** An agent that was put together: of what, what it is expected to do, and the button that runs it. */
function Profile({ profile, facets, isBusy, run }: ProfileProps) {
  const { name, score, backbone, tools, serves, yaml } = profile
  return (
    <li class="profile">
      <div class="line spread">
        <h3>{name}</h3>
        <span class="note">{score.toFixed(2)}</span>
      </div>
      <meter min={0} max={1} value={score} aria-label={`Score ${score.toFixed(2)} of 1`} />
      <p>
        {backbone === null ? <span class="note">no model: it lends its tools</span> : <>on {backbone.name}</>}
      </p>
      <ul class="toollist">
        {tools.map((tool) => (
          <li>
            <CardLink id={tool.id} />
            {tool.flags.map((rule) => (
              <Chip tone="warn">flagged: {rule}</Chip>
            ))}
          </li>
        ))}
      </ul>
      {facets.length > 1 && <Serves serves={serves} />}
      <Source title="Profile as YAML" text={yaml} />
      {run ? (
        <div class="actions">
          <button type="button" class="button primary" disabled={isBusy || backbone === null} onClick={run}>
            Run it
          </button>
        </div>
      ) : (
        <p class="note">To run it here is for the person at the machine that serves this.</p>
      )}
    </li>
  )
}

/** Which tool serves which step of the task, and how likely. */
const Serves = ({ serves }: Pick<ProfileOf, 'serves'>) => (
  <details>
    <summary>What it does of the task</summary>
    <ul>
      {serves.map(({ facet, tool, probability }) => (
        <li>
          {facet}:{' '}
          {tool === null ? <span class="bad">no tool</span> : `${tool} (${Math.round(100 * probability)}%)`}
        </li>
      ))}
    </ul>
  </details>
)
