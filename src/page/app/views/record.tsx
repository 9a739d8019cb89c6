import type { Api } from '../../../server/api/endpoints.ts'
import { reasonOf } from '../../../domain/outcome.ts'
import { Table } from '../../parts/table.tsx'
import { useData } from '../data.ts'
import { CardLink, dollars, Empty, Grade, Head, Ready, seconds, Source, When } from '../parts.tsx'
import { go, to, useField } from '../place.ts'
import { RecordOf } from '../record-chart.tsx'
import { Events } from '../events.tsx'
import type { ViewProps } from '../session.ts'

type Row = Api['record']['output']['cards'][number]

/** Half a success and half a failure are added, so that one lucky run leads nothing. */
const shareOf = ({ worked, graded }: Row): number => (worked + 0.5) / (graded + 1)
const byShare = (a: Row, b: Row): number =>
  shareOf(b) - shareOf(a) || b.graded - a.graded || b.answered - a.answered

/** What happened when candidates were run: of all, or of one over time, filtered by the task. */
export function Record({ place: { query } }: ViewProps) {
  const card = query.get('card') ?? ''
  const task = query.get('task') ?? ''
  const [text, type] = useField(task)
  const loaded = useData('record', { most: 0, ...(task === '' ? {} : { task }) })
  return (
    <>
      <Head title="Record" lead="What happened when agents and tools were run here. Searches rank by it." />
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault()
          go(to('record', { card, task: text.trim() }))
        }}
      >
        <label class="grow">
          Only tasks with these words
          <input type="search" value={text} onInput={({ currentTarget }) => type(currentTarget.value)} />
        </label>
        <button type="submit" class="button">
          Filter
        </button>
      </form>
      {card !== '' && (
        <section class="panel">
          <div class="line spread">
            <h2>{card}</h2>
            <a href={to('record', { task })}>All</a>
          </div>
          <RecordOf card={card} task={task} />
        </section>
      )}
      <Ready from={loaded}>
        {({ cards }) =>
          cards.length === 0 ? (
            <Empty title={task === '' ? 'Nothing was run yet' : 'Nothing was run on such a task'}>
              <p>Audition an agent or a tool: what happens is kept here.</p>
            </Empty>
          ) : (
            <Leaderboard cards={cards} task={task} />
          )
        }
      </Ready>
    </>
  )
}

/** How each card did, on all tasks or on those with some words. */
const Leaderboard = ({ cards, task }: { cards: readonly Row[]; task: string }) => (
  <section>
    <h2>{task === '' ? 'By card, the best first' : `Leaderboard of tasks with “${task}”`}</h2>
    <Table
      caption="Record by card"
      most={50}
      rows={cards.toSorted(byShare)}
      columns={[
        {
          title: 'Card',
          key: (one) => one.card,
          shows: (one) => (
            <a class="id" href={to('record', { card: one.card, task })}>
              {one.card}
            </a>
          ),
        },
        {
          title: 'Worked',
          number: true,
          key: ({ worked, graded }) => (graded === 0 ? -1 : worked / graded),
          shows: ({ worked, graded }) => (graded === 0 ? '–' : `${worked} of ${graded}`),
        },
        { title: 'Runs', number: true, key: ({ runs }) => runs },
        {
          title: 'Uses answered',
          number: true,
          key: ({ answered }) => answered,
          shows: ({ answered, uses }) => (uses === 0 ? '–' : `${answered} of ${uses}`),
        },
        {
          title: 'Median',
          number: true,
          key: (one) => one.medianSeconds ?? 0,
          shows: (one) => seconds(one.medianSeconds),
        },
        { title: 'Last', key: ({ last }) => last, shows: ({ last }) => <When time={last} /> },
      ]}
    />
  </section>
)

/** Everything of one run. */
export function Transcript({ place: { query } }: ViewProps) {
  const loaded = useData('transcript', { outcome: query.get('outcome') ?? '' })
  return (
    <>
      <Head title="What happened" />
      <Ready from={loaded}>
        {({ outcome, launch, answer, failure, events, leftOut }) => (
          <>
            <p class="chips">
              <Grade outcome={outcome} />
              <CardLink id={outcome.card} />
              <span class="note">
                <When time={outcome.time} /> · {seconds(outcome.seconds)}
                {outcome.cost !== null && ` · ${dollars(outcome.cost)}`}
              </span>
            </p>
            {outcome.verdict && (
              <p class="text" dir="auto">
                {reasonOf(outcome.verdict)}
              </p>
            )}
            <section>
              <h2>Task</h2>
              <p class="task" dir="auto">
                {outcome.task}
              </p>
            </section>
            <section>
              <h2>Started as</h2>
              <code class="display" dir="auto">
                {launch}
              </code>
            </section>
            <section>
              <h2>Steps</h2>
              <Events events={events} />
              {leftOut > 0 && <p class="note">{leftOut} were left out of the middle.</p>}
            </section>
            <section>
              <h2>{failure === null ? 'Answer' : 'It failed'}</h2>
              <p class="answer" dir="auto">
                {failure ?? answer}
              </p>
              {failure !== null && answer !== '' && <Source title="What it had answered" text={answer} />}
            </section>
          </>
        )}
      </Ready>
    </>
  )
}
