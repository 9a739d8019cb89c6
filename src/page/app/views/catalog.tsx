import { BundledOff } from '../bundled-off.tsx'
import { useData, useJob } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Bar, counted, Head, Problem, Ready, StopJob, Notice } from '../parts.tsx'
import { to } from '../place.ts'
import { Planning } from '../planning.tsx'
import type { ViewProps } from '../session.ts'
import { Report } from './index-report.tsx'
import { Problems, Sources } from './sources.tsx'

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
        {({ sources, bundled, leftOut }) => (
          <>
            <Sources sources={sources} isOwner={role === 'owner'} />
            {role === 'owner' && job === null && bundled !== 'on' && (
              <section>
                <BundledOff standing={bundled} />
              </section>
            )}
            {leftOut.length > 0 && (
              <section>
                <h2>In folders that were read, and not in search</h2>
                <Problems problems={leftOut} />
              </section>
            )}
          </>
        )}
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
