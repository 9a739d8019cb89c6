import type { ProbeEvent } from '../../probing/run/probe.ts'
import type { TranscriptEvent } from '../../probing/ports.ts'
import type { NotRun, ProbedRun } from '../../probing/run/probe-report.ts'
import type { ProbedView } from '../../server/api/probe-standing.ts'
import { type PageColumn, Table } from '../parts/table.tsx'
import { useJob } from './data.ts'
import { Events } from './events.tsx'
import { CardLink, Chip, dollars, Grade, JobBar, NotRunText, Problem, seconds, Notice } from './parts.tsx'
import { differenceLine, headline, leftLine, ungradedReasons } from './outcome-words.ts'
import { to } from './place.ts'

/** A probe as it goes: what each candidate does, and at the end who came out ahead. */
export function Live({ id }: { id: string }) {
  const { job, steps, failure } = useJob('probe', id)
  const last = steps.at(-1)
  return (
    <section aria-label="What happens">
      <Problem failure={failure} />
      <Notice notice={job?.error} />
      {job?.state === 'running' && (
        <JobBar
          id={id}
          label={`${last?.done ?? 0} of ${last?.total ?? '…'} runs ended`}
          value={last?.done ?? 0}
          max={last?.total ?? 1}
        />
      )}
      {job?.result && <Outcome result={job.result} />}
      <div class="lanes">
        {lanesOf(steps).map((lane) => (
          <Lane key={lane.card} lane={lane} isRunning={job?.state === 'running'} />
        ))}
      </div>
    </section>
  )
}

type Run = { readonly task: string; readonly events: TranscriptEvent[]; ended?: ProbedRun }
type LaneOf = {
  readonly card: string
  readonly runs: Map<number, Run>
  /** Why it, or the rest of its runs, was not started. */
  notRun?: NotRun
}

/** What happened, by candidate and run. */
function lanesOf(steps: readonly ProbeEvent[]): readonly LaneOf[] {
  const lanes = new Map<string, LaneOf>()
  for (const step of steps) {
    const lane: LaneOf = lanes.get(step.card) ?? { card: step.card, runs: new Map() }
    // What cannot run at all has no lane: the outcome tells why.
    if (step.kind !== 'not-run') lanes.set(step.card, lane)
    else lane.notRun = step.why
    if (step.kind === 'not-run') continue
    const { runs } = lane
    const run = runs.get(step.place)
    if (step.kind === 'started') runs.set(step.place, { task: step.task.text, events: [] })
    else if (step.kind === 'transcript') run?.events.push(step.event)
    else if (run !== undefined) run.ended = step.run
  }
  return [...lanes.values()]
}

/** A run of which no end is known: it goes on, was not started after all, or was not watched to its end. */
const Unended = ({ isRunning, notRun }: { isRunning: boolean; notRun: NotRun | undefined }) =>
  notRun !== undefined ? (
    <p class="bad">
      It was not started: {notRun.kind === 'permission' ? 'you have not allowed it' : notRun.message}
    </p>
  ) : (
    <p class="loading">{isRunning ? 'running…' : 'Its end was not seen.'}</p>
  )

const Lane = ({ lane: { card, runs, notRun }, isRunning }: { lane: LaneOf; isRunning: boolean }) => (
  <article class="lane">
    <h3>
      <CardLink id={card} />
    </h3>
    {[...runs.values()].map(({ task, events, ended }) => (
      <div class="run">
        <p class="task" dir="auto">
          {task}
        </p>
        <Events events={events} />
        {ended === undefined ? (
          <Unended isRunning={isRunning} notRun={notRun} />
        ) : (
          <>
            <p class="answer" dir="auto">
              {ended.failure ?? (ended.answer || 'An empty answer.')}
            </p>
            <p class="chips">
              <Grade outcome={ended.outcome} /> <span class="note">{seconds(ended.outcome.seconds)}</span>
              {ended.outcome.cost !== null && <span class="note">{dollars(ended.outcome.cost)}</span>}
              {ended.hasTranscript && <a href={to('transcript', { outcome: ended.outcome.id })}>all of it</a>}
            </p>
          </>
        )}
      </div>
    ))}
  </article>
)

/** How a candidate did: its grade, where it was run, and what it took. */
const columns: readonly PageColumn<ProbedView['candidates'][number]>[] = [
  { title: 'Candidate', key: ({ card }) => card, shows: ({ card }) => <CardLink id={card} /> },
  {
    title: 'Grade',
    key: ({ grade }) => grade?.mean ?? 0,
    shows: ({ grade, notRun, runs }) =>
      grade ? (
        <>
          <strong>{grade.mean.toFixed(1)}</strong>{' '}
          {grade.queries > 1 && (
            <span class="note">
              [{grade.low.toFixed(1)}, {grade.high.toFixed(1)}]
            </span>
          )}
        </>
      ) : notRun ? (
        <Chip tone="warn">not run</Chip>
      ) : (
        <span class="note">{runs.length > 0 ? 'not graded' : '–'}</span>
      ),
  },
  {
    title: 'Worked',
    key: ({ worked }) => worked,
    shows: ({ worked, graded }) => `${worked} of ${graded}`,
  },
  {
    title: 'Median',
    number: true,
    key: ({ medianSeconds }) => medianSeconds ?? 0,
    shows: ({ medianSeconds }) => seconds(medianSeconds),
  },
  {
    title: 'Tokens',
    number: true,
    key: ({ tokens }) => tokens ?? 0,
    shows: ({ tokens }) => tokens?.toLocaleString('en') ?? '–',
  },
  { title: 'Cost', number: true, key: ({ cost }) => cost ?? 0, shows: ({ cost }) => dollars(cost) },
]

function Outcome({ result }: { result: ProbedView }) {
  const { candidates, spent } = result
  const [difference, ungraded] = [differenceLine(result), ungradedReasons(result)]
  return (
    <div class="panel result-of-probe" role="status">
      <h2>{headline(result)}</h2>
      {difference && <p>{difference}</p>}
      {ungraded.map((reason) => (
        <p class="note">Not graded: {reason}</p>
      ))}
      <Table caption="How each candidate did" rows={candidates} columns={columns} />
      {candidates.map(({ card, notRun }) => notRun && <NotRunText card={card} why={notRun} />)}
      <p class="note">
        Together {seconds(spent.seconds)}
        {spent.cost !== null && spent.cost > 0 && `, ${dollars(spent.cost)}`}.
        {candidates.some(({ graded }) => graded > 0) && ' It is in the record now, and searches rank by it.'}
        {leftLine(result)}
      </p>
    </div>
  )
}
