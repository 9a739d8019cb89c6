import { Table } from '../../parts/table.tsx'
import { perCent } from '../../../evaluation/report/numbers.ts'
import type { Estimate } from '../../../evaluation/evaluation-run.ts'
import type { Api } from '../../../server/api/endpoints.ts'
import { call } from '../api.ts'
import { useAction, useData, useJob } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Empty, Head, JobBar, Problem, Ready, When, Notice } from '../parts.tsx'
import { go, to } from '../place.ts'
import type { ViewProps } from '../session.ts'
import { SelfFindings } from './self-findings.tsx'

/** Measures search, and shows what was measured. */
export function Evaluations({ place: { query } }: ViewProps) {
  const loaded = useData('evaluations', {})
  const { failure, isBusy, run } = useAction()
  const job = query.get('job')
  const last = useLast()
  const shown = job ?? last
  const start = (dataset: string): void =>
    run(async () => {
      const { id } = await call('evaluate', { dataset })
      go(to('evaluations', { job: id }))
    })
  return (
    <>
      <Head
        title="Evaluations"
        lead="How well search finds what serves, measured on requests whose answers are known."
      />
      <Running kind="evaluate" shown={job} />
      <Problem failure={failure} />
      {shown !== null && <Measuring id={shown} />}
      <Ready from={loaded}>
        {({ datasets, runs }) => (
          <>
            <Datasets datasets={datasets} isBusy={isBusy} start={start} />
            <Runs runs={runs} />
          </>
        )}
      </Ready>
    </>
  )
}

/** The last evaluation that ended since the server started: who left the view while it ran finds what came of it. */
function useLast(): string | null {
  const { value } = useData('jobs', {})
  return value?.jobs.find(({ kind, state }) => kind === 'evaluate' && state === 'done')?.id ?? null
}

type Evaluated = Api['evaluations']['output']
type DatasetsProps = Pick<Evaluated, 'datasets'> & { isBusy: boolean; start: (dataset: string) => void }

/** What can be measured. */
const Datasets = ({ datasets, isBusy, start }: DatasetsProps) => (
  <section>
    <h2>Datasets</h2>
    <ul class="plain list">
      {datasets.map(({ name, describes, kind }) => (
        <li>
          <div>
            <strong>{kind === 'self' ? 'Your own index' : name}</strong> <span class="note">{describes}</span>
          </div>
          <button type="button" class="button" disabled={isBusy} onClick={() => start(name)}>
            {kind === 'self' ? 'Look for what cannot be found' : 'Measure'}
            <span class="unseen"> {name}</span>
          </button>
        </li>
      ))}
    </ul>
  </section>
)

/** What was measured before. */
const Runs = ({ runs }: Pick<Evaluated, 'runs'>) => (
  <section>
    <h2>Runs</h2>
    {runs.length === 0 ? (
      <Empty title="No run is kept yet">
        <p>Measure a dataset: its report is kept, and later runs are compared with it.</p>
      </Empty>
    ) : (
      <Table
        caption="Kept runs"
        stacks
        rows={runs}
        columns={[
          {
            title: 'Run',
            key: ({ name }) => name,
            shows: (one) => (
              <>
                <a href={to('report', { dataset: one.dataset, run: one.run })}>{one.name}</a>
                <small>{one.dataset}</small>
              </>
            ),
          },
          {
            title: 'When',
            key: ({ startedAt }) => startedAt,
            shows: ({ startedAt }) => <When time={startedAt} />,
          },
          { title: 'Queries', number: true, key: ({ queries }) => queries },
          {
            title: 'Measures',
            key: ({ macro }) => Object.values(macro)[0]?.mean ?? 0,
            shows: ({ macro }) => <Macro macro={macro} />,
          },
        ]}
      />
    )}
  </section>
)

const shown = 3

const Macro = ({ macro }: { macro: { readonly [measure: string]: Estimate } }) => (
  <>
    {Object.entries(macro)
      .slice(0, shown)
      .map(([name, { mean, low, high }]) => (
        <span class="measure">
          {name} <strong>{perCent(mean)}</strong>{' '}
          <span class="note">
            [{perCent(low)}, {perCent(high)}]
          </span>
        </span>
      ))}
  </>
)

/** An evaluation, as it goes, and what came of it. */
function Measuring({ id }: { id: string }) {
  const { job, steps, failure } = useJob('evaluate', id)
  const last = steps.at(-1)
  return (
    <section class="panel">
      <Problem failure={failure} />
      {job?.state === 'running' && (
        <JobBar
          id={id}
          label={`${job.subject}: ${last?.done ?? 0} of ${last?.total ?? '…'}`}
          value={last?.done ?? 0}
          max={last?.total ?? 1}
        />
      )}
      <Notice notice={job?.error} />
      {job?.result && (
        <div class="report" role="status">
          <h2>{job.result.dataset === 'self' ? 'Your own index' : job.result.dataset}</h2>
          {job.result.dataset === 'self' && (
            <SelfFindings findings={job.result.findings} isAsked={job.result.macro !== undefined} />
          )}
          {job.result.macro && (
            <p>
              <Macro macro={job.result.macro} />
            </p>
          )}
          {job.result.run && (
            <p>
              <a href={to('report', job.result.run)}>The whole report</a>
            </p>
          )}
          {job.result.failures.map((text) => (
            <p class="bad">{text}</p>
          ))}
        </div>
      )}
    </section>
  )
}
