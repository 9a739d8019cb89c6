import type { Api } from '../../../server/api/endpoints.ts'
import { CardLink, Chip, Code, Empty, Facts } from '../parts.tsx'
import { to } from '../place.ts'

type Found = Api['search']['output']
type Candidate = Found['candidates'][number]

const verdicts = {
  good: { tone: 'good', says: 'Good match first' },
  weak: { tone: 'warn', says: 'Weak match' },
  none: { tone: 'bad', says: 'Probably nothing fits' },
} as const

type Picking = { picked: readonly string[]; pick: (id: string) => void }
type ResultsProps = Picking & { found: Found; isLate: boolean; host: string }

/** What was found, best first, with why; several of them can be chosen to compare. */
export function Results({ found, isLate, host, ...picking }: ResultsProps) {
  const { match, note, candidates, searched, ms, readAs, facets } = found
  const { tone, says } = verdicts[match]
  return (
    <section aria-label="Results" aria-busy={isLate}>
      <h2 class="unseen">Results</h2>
      <p class="verdict" role="status">
        <Chip tone={tone}>{says}</Chip>{' '}
        <span class="note">
          {candidates.length} of {searched.toLocaleString('en')} · {ms} ms
        </span>
      </p>
      {readAs && <p class="note">Read as: {readAs}</p>}
      {note && match !== 'good' && <p class="note">{note}</p>}
      {match !== 'good' && (
        <p class="next">
          Nothing that surely fits? <a href={to('compose', { q: facets.join(' ') })}>Compose an agent</a> for
          it.
        </p>
      )}
      {facets.length > 1 && (
        <ol class="steps">
          {facets.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
      )}
      {candidates.length === 0 ? (
        <Empty title="Nothing was found">
          <p>Say it in other words, or name the system that it is about.</p>
        </Empty>
      ) : (
        <ol class="plain results">
          {candidates.map((candidate) => (
            <Result key={candidate.id} candidate={candidate} steps={facets} host={host} {...picking} />
          ))}
        </ol>
      )}
    </section>
  )
}

type ResultProps = Picking & { candidate: Candidate; steps: readonly string[]; host: string }

function Result({ candidate, steps, host, picked, pick }: ResultProps) {
  const { id, name, title, description, inputs, reach } = candidate
  return (
    <li class="result">
      <div class="line">
        <h3>
          <a href={to('card', { id, host })} dir="auto">
            {title ?? name}
          </a>
        </h3>
        <CardLink id={id} />
        <button
          type="button"
          class="button quiet compare"
          aria-pressed={picked.includes(id)}
          onClick={() => pick(id)}
        >
          Compare<span class="unseen"> {id}</span>
        </button>
      </div>
      <p dir="auto">{description}</p>
      {inputs && inputs !== 'none' && (
        <p class="inputs" dir="auto">
          {inputs}
        </p>
      )}
      <Signs candidate={candidate} />
      {reach && 'call' in reach && <Code text={reach.call} label="Copy the call" />}
      <Why candidate={candidate} steps={steps} />
    </li>
  )
}

/** What to know of it at a glance. */
function Signs({ candidate: { kind, effects, signals, reach, flags } }: { candidate: Candidate }) {
  const { record, obstacle, standsBack, provenance } = signals
  return (
    <p class="chips">
      {kind !== 'tool' && <Chip>{kind}</Chip>}
      {effects && <Chip tone={effects === 'reads' ? 'plain' : 'warn'}>{effects}</Chip>}
      {record && record.runs > 0 && (
        <Chip tone={record.speaks === 'against' ? 'bad' : record.speaks === 'for' ? 'good' : 'plain'}>
          worked {record.successes} of {record.runs}
        </Chip>
      )}
      {provenance && (
        <Chip>{provenance === 'proven' ? 'a stranger’s, proven here' : 'published by others'}</Chip>
      )}
      {standsBack && <Chip tone="warn">stands back: {standsBack.because}</Chip>}
      {obstacle && (
        <Chip tone="warn">{obstacle.kind === 'permission' ? 'not allowed to start' : obstacle.message}</Chip>
      )}
      {flags.map((flag) => (
        <Chip tone="warn">flagged: {flag}</Chip>
      ))}
      {reach && 'reach' in reach && <Chip>{reach.reach}</Chip>}
    </p>
  )
}

/** Every signal that put it where it is, and where its card was read. */
const Why = ({ candidate: { signals, from }, steps }: Pick<ResultProps, 'candidate' | 'steps'>) => (
  <details class="why">
    <summary>Why, and from where</summary>
    <Facts
      facts={[
        ['Words found', signals.matched.join(', ')],
        ['Covers', `${Math.round(100 * signals.coverage)}% of the request`],
        ['By words (BM25)', signals.lexical?.toFixed(2)],
        ['By meaning (cosine)', signals.dense?.toFixed(2)],
        ['Reader', signals.reading?.toFixed(2)],
        ['Cross-encoder', signals.crossEncoder?.toFixed(2)],
        ['Lifted', signals.lift && `${Math.round(100 * signals.lift.share)}% by ${signals.lift.from}`],
        ['Best for', signals.facets.map((facet) => steps[facet]).join('; ')],
        ['Stands for', signals.duplicates.join(', ')],
        [
          'Record says',
          signals.record && `${Math.round(100 * signals.record.estimate)}% likely to serve this`,
        ],
        ['Read from', `${from.location} (${from.reader})`],
      ]}
    />
  </details>
)
