import type { Card } from '../../../domain/card.ts'
import type { Api } from '../../../server/api/endpoints.ts'
import { useData } from '../data.ts'
import { CardLink, Chip, Code, Facts, Head, Ready, Source } from '../parts.tsx'
import { to } from '../place.ts'
import { RecordOf } from '../record-chart.tsx'
import { hostOf, type ViewProps } from '../session.ts'
import { TakingBack } from './accepted.tsx'

/** One card in full, how it is called, and its record over time. */
export function CardView({ place: { query }, session }: ViewProps) {
  const id = query.get('id') ?? ''
  const host = hostOf(query.get('host'), session)
  const loaded = useData('card', id === '' ? null : { id, ...(host === '' ? {} : { host }) })
  if (id === '')
    return (
      <>
        <Head title="Which card?" lead="The address names none." />
        <a href={to('find')}>Go to Find</a>
      </>
    )
  return (
    <Ready from={loaded}>
      {(value) => <Whole value={value} host={session.hosts.find(({ name }) => name === host)?.title} />}
    </Ready>
  )
}

type Value = Api['card']['output']
type WholeProps = { value: Value; host: string | undefined }

function Whole({ value, host }: WholeProps) {
  const { card, yaml, record, runnable } = value
  return (
    <article class="card">
      <Head title={card.title ?? card.name}>
        <div class="actions">
          <a class="button" href={to('find', { pick: [card.id], kind: card.kind })}>
            Compare
          </a>
          {runnable && (
            <a class="button primary" href={to('audition', { cards: [card.id] })}>
              Audition it
            </a>
          )}
        </div>
      </Head>
      <Signs card={card} record={record} />
      <p class="text" dir="auto">
        {card.description || 'Its publisher says nothing of it.'}
      </p>
      <Calling value={value} host={host} />
      <Flags flags={card.flags ?? []} />
      {value.accepted && <TakingBack card={value.accepted} />}
      <Inputs card={card} />
      {card.kind === 'agent' && <Made card={card} yaml={yaml} />}
      <Examples examples={card.examples} />
      <section>
        <h2>Record</h2>
        <RecordOf card={card.id} most={10} />
      </section>
      <Provenance card={card} />
    </article>
  )
}

/** What it is and says of itself, and how its runs went. */
const Signs = ({ card, record }: Pick<Value, 'card' | 'record'>) => (
  <p class="chips">
    <CardLink id={card.id} />
    <Chip>{card.kind === 'tool' ? 'tool' : card.agentKind}</Chip>
    {card.kind === 'tool' && card.annotations?.readOnly === true && <Chip>says it only reads</Chip>}
    {card.kind === 'tool' && card.annotations?.destructive === true && (
      <Chip tone="warn">says it may destroy</Chip>
    )}
    {record && record.graded > 0 && (
      <Chip tone={record.worked * 2 >= record.graded ? 'good' : 'bad'}>
        worked {record.worked} of {record.graded}
      </Chip>
    )}
  </p>
)

/** How it is called, from a host where one is asked for. */
const Calling = ({ value: { use, reach, add, notAdded }, host }: WholeProps) => (
  <section>
    <h2>Call it{host && ` from ${host}`}</h2>
    {reach === undefined && <p class="use">{use ?? 'No host is known here that would call it.'}</p>}
    {reach === 'never' && <p>{host} runs no agents of this kind.</p>}
    {typeof reach === 'object' && 'call' in reach && <Code text={reach.call} label="Copy the call" />}
    {typeof reach === 'object' && 'reach' in reach && (
      <p>
        {host} does not have it{add ? '. This adds it:' : '.'}
      </p>
    )}
    {add && <Code text={add} label="Copy the command" />}
    {notAdded && (
      <div class="panel">
        <p>{notAdded.message}</p>
        <p class="note">{notAdded.remedy}</p>
        <a href={to('held')}>See what is held</a>
      </div>
    )}
  </section>
)

/** What the scan found in it. */
const Flags = ({ flags }: { flags: NonNullable<Card['flags']> }) =>
  flags.length === 0 ? null : (
    <section>
      <h2>The scan found</h2>
      <ul>
        {flags.map(({ rule, field }) => (
          <li>
            <strong>{rule}</strong> in {field}
          </li>
        ))}
      </ul>
    </section>
  )

const Examples = ({ examples }: Pick<Card, 'examples'>) =>
  examples.length === 0 ? null : (
    <section>
      <h2>Examples</h2>
      <ul>
        {examples.map((example) => (
          <li dir="auto">{example}</li>
        ))}
      </ul>
    </section>
  )

/** Who says all this, and where it was read. */
const Provenance = ({ card }: { card: Card }) => (
  <section>
    <h2>Provenance</h2>
    <Facts
      facts={[
        ['Source', card.source],
        ['Read from', card.provenance.location],
        ['Format', card.provenance.reader],
        ['Publisher', card.publisher],
        ['Tags', card.tags.join(', ')],
        ...Object.entries(card.provenance.details ?? {}),
        ['Written by a model', card.enrichment && `${card.enrichment.whenToUse} (${card.enrichment.model})`],
      ]}
    />
  </section>
)

function Inputs({ card }: { card: Card }) {
  if (card.kind !== 'tool') return null
  return (
    <section>
      <h2>Inputs</h2>
      {card.parameters.length === 0 ? (
        <p class="note">
          {card.inputSchema === undefined ? 'Its card does not say what it takes.' : 'It takes nothing.'}
        </p>
      ) : (
        <dl class="inputlist">
          {card.parameters.map(({ name, type, required, description }) => (
            <div>
              <dt>
                <code>{name}</code>{' '}
                <span class="note">
                  {[type, required ? 'required' : 'optional'].filter(Boolean).join(', ')}
                </span>
              </dt>
              <dd dir="auto">{description}</dd>
            </div>
          ))}
        </dl>
      )}
      {card.inputSchema && <Source title="JSON Schema" text={JSON.stringify(card.inputSchema, null, 2)} />}
      {card.outputSchema && (
        <Source title="Schema of the result" text={JSON.stringify(card.outputSchema, null, 2)} />
      )}
    </section>
  )
}

function Made({ card, yaml }: { card: Card & { kind: 'agent' }; yaml: string | undefined }) {
  return (
    <section>
      <h2>Made of</h2>
      <Facts
        facts={[
          ['Model', card.backbone?.name ?? 'the host’s own, or none'],
          ['Tools', card.tools.length === 0 ? 'none named' : undefined],
        ]}
      />
      {card.tools.length > 0 && (
        <ul class="toollist">
          {card.tools.map(({ name, id, description }) => (
            <li>
              {id === undefined ? <code>{name}</code> : <CardLink id={id} />}{' '}
              <span class="note">{description}</span>
            </li>
          ))}
        </ul>
      )}
      {yaml && <Source title="Profile as YAML" text={yaml} />}
    </section>
  )
}
