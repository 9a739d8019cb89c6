import type { Api } from '../../server/api/endpoints.ts'
import { gradeOf, type Outcome, reasonOf } from '../../domain/outcome.ts'
import { useData } from './data.ts'
import { dollars, Grade, Ready, seconds, When } from './parts.tsx'
import { to } from './place.ts'

/** The record of one card over time, and its outcomes; of tasks with some words, where they are given. */
export function RecordOf({ card, task = '', most = 30 }: { card: string; task?: string; most?: number }) {
  const loaded = useData('record', { card, ...(task === '' ? {} : { task }) })
  return (
    <Ready from={loaded}>
      {({ outcomes, cards, count }) =>
        outcomes.length === 0 ? (
          <p class="note">{task === '' ? 'It was never run here.' : 'It was never run on such a task.'}</p>
        ) : (
          <>
            <Chart outcomes={outcomes} />
            <p class="note">
              {cards[0]?.graded ? `${cards[0].worked} of ${cards[0].graded} graded runs worked. ` : ''}
              {cards[0]?.uses ? `${cards[0].answered} of ${cards[0].uses} uses were answered. ` : ''}
              {count > outcomes.length && `The newest ${outcomes.length} of ${count} are shown.`}
            </p>
            <Outcomes outcomes={outcomes.slice(0, most)} />
            {outcomes.length > most && (
              <p class="note">
                The newest {most} are listed. <a href={to('record', { card, task })}>The record</a> can be
                filtered by the task.
              </p>
            )}
          </>
        )
      }
    </Ready>
  )
}

const height = 120
const left = 34

/** Grades over time: a point for each run, as high as its grade. Uses, which nobody judges, stand on the line below. */
function Chart({ outcomes }: { outcomes: readonly Outcome[] }) {
  const times = outcomes.map(({ time }) => Date.parse(time))
  const [from, until] = [Math.min(...times), Math.max(...times)]
  const x = (time: string): string =>
    `${left / 6 + ((94 - left / 6) * (Date.parse(time) - from)) / (until - from || 1) + 2}%`
  const y = (grade: number): number => height - 18 - ((grade - 1) * (height - 30)) / 4
  const days = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
  return (
    <svg
      class="chart"
      role="img"
      aria-label="Grades of its runs over time; the list below has them"
      width="100%"
      height={height + 16}
    >
      {[1, 3, 5].map((grade) => (
        <g>
          <line x1="5%" x2="99%" y1={y(grade)} y2={y(grade)} />
          <text x="1%" y={y(grade) + 4}>
            {grade}
          </text>
        </g>
      ))}
      {outcomes.map(({ time, verdict, origin, ending }) => {
        const grade = gradeOf(verdict) ?? (ending === 'failed' || ending === 'limit' ? 1 : null)
        return (
          <circle
            class={origin === 'use' || grade === null ? 'use' : grade >= 4 ? 'good' : 'bad'}
            cx={x(time)}
            cy={grade === null ? height - 4 : y(grade)}
            r={grade === null ? 2.5 : 5}
          />
        )
      })}
      <text x="5%" y={height + 14}>
        {days.format(from)}
      </text>
      {until - from > 86_400_000 && (
        <text x="99%" y={height + 14} text-anchor="end">
          {days.format(until)}
        </text>
      )}
    </svg>
  )
}

const Outcomes = ({ outcomes }: { outcomes: Api['record']['output']['outcomes'] }) => (
  <ul class="plain outcomes">
    {outcomes.map((outcome) => (
      <li>
        <Grade outcome={outcome} /> <When time={outcome.time} />{' '}
        <span class="note">{seconds(outcome.seconds)}</span>{' '}
        {outcome.cost !== null && <span class="note">{dollars(outcome.cost)}</span>}{' '}
        <span dir="auto">{outcome.task || (outcome.origin === 'use' ? 'a use by a host' : '')}</span>
        {outcome.verdict && <small dir="auto">{reasonOf(outcome.verdict)}</small>}
        {outcome.origin !== 'use' && (
          <a class="small" href={to('transcript', { outcome: outcome.id })}>
            What happened
          </a>
        )}
      </li>
    ))}
  </ul>
)
