import type { Api } from '../../../server/api/endpoints.ts'
import type { IndexReport } from '../../../indexing/index-report.ts'
import { Table } from '../../parts/table.tsx'
import { call } from '../api.ts'
import { useAction, useData, useJob } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Bar, counted, Empty, Head, Problem, Ready, StopJob, When, Notice } from '../parts.tsx'
import { to } from '../place.ts'
import { Planning } from '../planning.tsx'
import type { ViewProps } from '../session.ts'

type Source = Api['sources']['output']['sources'][number]

/** What is indexed, and how more comes in. */
export function Catalog({ place: { query }, session: { role, counts } }: ViewProps) {
  const loaded = useData('sources', {})
  const job = query.get('job')
  const isAsked = role === 'owner' && (query.get('index') !== null || counts === null)
  return (
    <>
      <Head
        title="Catalog"
        lead={
          counts === null
            ? 'Nothing is indexed yet.'
            : `${counted(counts.tools, 'tool')} and ${counted(counts.agents, 'agent')}.`
        }
      >
        {role === 'owner' && !isAsked && job === null && (
          <a class="button primary" href={to('catalog', { index: 'yes' })}>
            Index
          </a>
        )}
      </Head>
      <Running kind="index" shown={job} />
      {job !== null ? <Indexing id={job} /> : isAsked && <Planning location={query.get('location') ?? ''} />}
      <Ready from={loaded}>
        {({ sources }) =>
          sources.length === 0 ? null : <Sources sources={sources} isOwner={role === 'owner'} />
        }
      </Ready>
    </>
  )
}

/** An index run, as it goes. */
function Indexing({ id }: { id: string }) {
  const { job, steps, failure } = useJob('index', id)
  const last = steps.findLast(({ step }) => step !== 'committed')
  return (
    <section class="panel" aria-label="Index run">
      <Problem failure={failure} />
      {job?.state === 'running' && (
        <>
          {last?.step === 'read' ? (
            <Bar
              label={`Read ${last.done} of ${last.total}: ${last.source}`}
              value={last.done}
              max={last.total}
            />
          ) : last?.step === 'write' ? (
            <Bar label={last.what} value={last.share} max={1} />
          ) : (
            <p class="loading">Looking…</p>
          )}
          <div>
            <StopJob id={id} />
          </div>
        </>
      )}
      <Notice notice={job?.error} />
      {job?.result && <Report report={job.result} />}
    </section>
  )
}

function Report({
  report: { sources, problems, tools, agents, seconds, ofOtherProjects = 0 },
}: {
  report: IndexReport
}) {
  const failed = sources.filter((one) => one.failure !== undefined)
  const left = sources.filter((one) => one.notAsked !== undefined && one.notAsked !== 'unchanged')
  const wrong = [...problems, ...sources.flatMap((one) => one.problems)]
  return (
    <div role="status" class="report">
      <h2>
        {counted(tools, 'tool')} and {counted(agents, 'agent')} in {seconds.toFixed(1)} s
      </h2>
      {failed.length > 0 && <Failed failed={failed} />}
      {left.length > 0 && <NotStarted left={left} />}
      {ofOtherProjects > 0 && (
        <p class="note">
          {counted(ofOtherProjects, 'server')} of other projects: start the page there to index them.
        </p>
      )}
      {wrong.length > 0 && <Wrong wrong={wrong} />}
      <p>
        <a class="button primary" href={to('find')}>
          Find something
        </a>
      </p>
    </div>
  )
}

/** Sources that could not be read, and what they printed. */
const Failed = ({ failed }: { failed: IndexReport['sources'] }) => (
  <>
    <h3>{counted(failed.length, 'source')} failed</h3>
    <ul class="plain failures">
      {failed.map(({ source, failure }) => (
        <li>
          <strong>{source}</strong>: {failure?.message}. {failure?.remedy}
          {failure?.output && (
            <details>
              <summary>What it printed</summary>
              <pre>{failure.output}</pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  </>
)

const reasons = {
  unwanted: 'it was not to be started',
  'not agreed': 'you did not agree to start it',
  'launch changed': 'its launch changed since you agreed',
  declined: 'you left it out',
  'other project': 'it belongs to another project',
  unchanged: 'it answered a short while ago',
  'failed before': 'it failed a short while ago',
} as const

/** Servers that were not asked, and why. */
const NotStarted = ({ left }: { left: IndexReport['sources'] }) => (
  <>
    <h3>Not started</h3>
    <ul>
      {left.map(({ source, notAsked }) => (
        <li>
          {source}: {reasons[notAsked!]}
        </li>
      ))}
    </ul>
  </>
)

/** Records that could not be read. */
const Wrong = ({ wrong }: { wrong: IndexReport['problems'] }) => (
  <details>
    <summary>{counted(wrong.length, 'problem')} in what was read</summary>
    <ul>
      {wrong.slice(0, 50).map(({ file, message, remedy }) => (
        <li>
          <code>{file}</code>: {message} {remedy}
        </li>
      ))}
    </ul>
  </details>
)

const standings = {
  installed: 'yours',
  accepted: 'trusted by you',
  stranger: 'published by others',
  newcomer: 'published by others, new',
  distrusted: 'distrusted by you',
} as const

function Sources({ sources, isOwner }: { sources: readonly Source[]; isOwner: boolean }) {
  const { failure, isBusy, run } = useAction()
  const forget = (id: string): void =>
    run(async () => {
      if (confirm(`Forget "${id}" and its cards? Its files are not touched.`))
        await call('forget', { sources: [id] })
    })
  if (sources.length === 0) return <Empty title="Nothing is indexed yet" />
  return (
    <section>
      <h2>Sources</h2>
      <Problem failure={failure} />
      <Table
        caption="Sources of the index"
        rows={sources}
        columns={[
          {
            title: 'Source',
            key: ({ id }) => id,
            shows: ({ id, location, failure: fault }) => (
              <>
                <strong>{id}</strong>
                <small dir="auto">{location}</small>
                {fault && <small class="bad">{fault}</small>}
              </>
            ),
          },
          { title: 'Whose', key: ({ standing }) => standings[standing] },
          { title: 'Tools', number: true, key: ({ tools }) => tools },
          { title: 'Agents', number: true, key: ({ agents }) => agents },
          {
            title: 'Held',
            number: true,
            key: ({ held }) => (held?.changed ?? 0) + (held?.quarantined ?? 0),
          },
          {
            title: 'Read',
            key: ({ indexedAt }) => indexedAt ?? '',
            shows: ({ indexedAt }) => <When time={indexedAt} />,
          },
          ...(isOwner
            ? [
                {
                  title: 'Forget',
                  key: () => 0,
                  shows: ({ id }: Source) => (
                    <button type="button" class="button quiet" disabled={isBusy} onClick={() => forget(id)}>
                      Forget<span class="unseen"> {id}</span>
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  )
}
