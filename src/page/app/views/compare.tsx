import type { ComponentChildren } from 'preact'
import type { Api } from '../../../server/api/endpoints.ts'
import { gradeOf } from '../../../domain/outcome.ts'
import { useData } from '../data.ts'
import { CardLink, Chip, counted, Empty, Head, Ready, seconds } from '../parts.tsx'
import { to } from '../place.ts'
import type { ViewProps } from '../session.ts'

type Side = { readonly whole: Api['card']['output']; readonly record: Api['record']['output'] }

/** Two cards side by side: what they are, what they did, and how they did on the same tasks. */
export function Compare({ place: { query } }: ViewProps) {
  const cards = query.getAll('cards')
  const [first = '', second = ''] = cards
  const sides = [useSide(first), useSide(second)] as const
  return (
    <>
      <Head title="Compare" lead="What two agents or tools are, and what they did here.">
        {cards.length > 1 && (
          <a class="button primary" href={to('audition', { cards })}>
            Audition both
          </a>
        )}
      </Head>
      {cards.length < 2 ? (
        <Empty title="Choose two">
          <p>Press Compare at two candidates of a search.</p>
          <a class="button primary" href={to('find', { pick: cards })}>
            Find them
          </a>
        </Empty>
      ) : (
        <Ready from={sides[0]}>
          {(one) => <Ready from={sides[1]}>{(other) => <Sides sides={[one, other]} />}</Ready>}
        </Ready>
      )}
    </>
  )
}

/** A card with its record; both have to be there. */
function useSide(id: string) {
  const whole = useData('card', id === '' ? null : { id })
  const record = useData('record', id === '' ? null : { card: id })
  const value =
    whole.value === undefined || record.value === undefined
      ? undefined
      : { whole: whole.value, record: record.value }
  return { ...whole, value, failure: whole.failure ?? record.failure }
}

const none = '–'

const rows: readonly (readonly [title: string, shows: (side: Side) => ComponentChildren])[] = [
  ['Is', ({ whole: { card } }) => (card.kind === 'tool' ? 'tool' : card.agentKind)],
  [
    'Says of itself',
    ({ whole: { card } }) => (card.description === '' ? none : <span dir="auto">{card.description}</span>),
  ],
  ['Model', ({ whole: { card } }) => (card.kind === 'agent' && card.backbone?.name) || none],
  [
    'Tools',
    ({ whole: { card } }) => (card.kind === 'agent' && card.tools.map(({ name }) => name).join(', ')) || none,
  ],
  [
    'Takes',
    ({ whole: { card } }) =>
      (card.kind === 'tool' &&
        card.parameters.map(({ name, required }) => `${name}${required ? '' : '?'}`).join(', ')) ||
      none,
  ],
  [
    'Worked',
    ({ whole: { record } }) =>
      record?.graded ? (
        <Chip tone={record.worked * 2 >= record.graded ? 'good' : 'bad'}>
          {record.worked} of {record.graded}
        </Chip>
      ) : (
        'never graded here'
      ),
  ],
  [
    'Uses answered',
    ({ whole: { record } }) => (record?.uses ? `${record.answered} of ${record.uses}` : none),
  ],
  ['Takes, median', ({ whole: { record } }) => seconds(record?.medianSeconds ?? null)],
  ['The scan found', ({ whole: { card } }) => card.flags?.map(({ rule }) => rule).join(', ') || 'nothing'],
  ['Publisher', ({ whole: { card } }) => card.publisher ?? none],
  ['Read from', ({ whole: { card } }) => <small dir="auto">{card.provenance.location}</small>],
]

function Sides({ sides }: { sides: readonly [Side, Side] }) {
  const tasks = sharedTasks(sides)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section class="scroll" aria-label="Both cards" tabIndex={0}>
        <table class="sides">
          <caption>Both cards</caption>
          <thead>
            <tr>
              <td />
              {sides.map(({ whole: { card } }) => (
                <th scope="col">
                  <CardLink id={card.id} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(([, shows]) => sides.some((side) => shows(side) !== none))
              .map(([title, shows]) => (
                <tr>
                  <th scope="row">{title}</th>
                  {sides.map((side) => (
                    <td>{shows(side)}</td>
                  ))}
                </tr>
              ))}
            {tasks.map(({ task, means }) => (
              <tr>
                <th scope="row" dir="auto">
                  {task}
                </th>
                {means.map(({ mean, runs }) => (
                  <td>
                    <strong>{mean.toFixed(1)}</strong>{' '}
                    <span class="note">mean grade of {counted(runs, 'run')}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="note">
        {tasks.length > 0
          ? 'The last rows are tasks on which both were graded.'
          : 'They were never graded on the same task: audition both to know.'}
      </p>
    </>
  )
}

/** Tasks on which both were graded, with their grades; the newest first. */
function sharedTasks(sides: readonly [Side, Side]) {
  const [ours, theirs] = sides.map(({ record: { outcomes } }) => {
    const byTask = new Map<string, number[]>()
    for (const { task, verdict } of outcomes) {
      const grade = gradeOf(verdict)
      if (grade !== null) byTask.set(task, [...(byTask.get(task) ?? []), grade])
    }
    return byTask
  }) as [Map<string, number[]>, Map<string, number[]>]
  const inShort = (grades: readonly number[]) => ({
    mean: grades.reduce((sum, grade) => sum + grade, 0) / grades.length,
    runs: grades.length,
  })
  return [...ours]
    .filter(([task]) => theirs.has(task))
    .slice(0, 20)
    .map(([task, grades]) => ({ task, means: [inShort(grades), inShort(theirs.get(task)!)] }))
}
