import type { Api } from '../../../server/api/endpoints.ts'
import { Table } from '../../parts/table.tsx'
import { call } from '../api.ts'
import { useAction, useData, useJob } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Bar, counted, Empty, Head, Problem, Ready, StopJob, When, Notice } from '../parts.tsx'
import { to } from '../place.ts'
import { Planning } from '../planning.tsx'
import type { ViewProps } from '../session.ts'
import { Report } from './index-report.tsx'

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
