import { asSentence } from '../../../domain/remedy-error.ts'
import type { EvaluatedView } from '../../../server/api/job-results.ts'
import { CardLink, Chip, counted } from '../parts.tsx'

type Findings = EvaluatedView['findings']

/** What cannot be found in one's own index, said first and plainly; then what could be found better. */
export function SelfFindings({ findings, isAsked }: { findings: Findings; isAsked: boolean }) {
  const lost = findings.filter(({ kind }) => kind === 'unfindable')
  const others = findings.filter(({ kind }) => kind !== 'unfindable')
  return (
    <>
      {lost.length > 0 ? (
        <>
          <h3 class="bad">{counted(lost.length, 'card')} cannot be found</h3>
          <Listed findings={lost} />
        </>
      ) : isAsked ? (
        <p>
          <strong>Nothing is lost:</strong> every card that was asked for by its own words was found among the
          first ten.
        </p>
      ) : (
        <p>No card has an example, or words enough, to be asked for.</p>
      )}
      {others.length > 0 && (
        <>
          <h3>
            {counted(new Set(others.map(({ card }) => card)).size, 'card')} could be found better, worst first
          </h3>
          <Listed findings={others} />
        </>
      )}
    </>
  )
}

/** Findings that are shown; the report has all. */
const most = 50

const Listed = ({ findings }: { findings: Findings }) => (
  <>
    <ul class="plain findings">
      {findings.slice(0, most).map(({ kind, card, message, remedy }) => (
        <li>
          <Chip tone={kind === 'unfindable' || kind === 'shadowed' ? 'bad' : 'plain'}>
            {kind.replace('-', ' ')}
          </Chip>{' '}
          <CardLink id={card} />
          <p>
            {asSentence(message)} <span class="note">{remedy}</span>
          </p>
        </li>
      ))}
    </ul>
    {findings.length > most && <p class="note">The first {most} are shown; the report has all.</p>}
  </>
)
