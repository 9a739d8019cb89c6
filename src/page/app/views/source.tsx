import type { Api } from '../../../server/api/endpoints.ts'
import { useData } from '../data.ts'
import { CardLink, Chip, counted, Empty, Facts, Head, Ready } from '../parts.tsx'
import { to } from '../place.ts'
import type { ViewProps } from '../session.ts'
import { Problems, ReadAt, State, whose } from './sources.tsx'

type Whole = Api['source']['output']

/** One source: how it stands, what is wrong with it, and its cards. */
export function SourceView({ place: { query } }: ViewProps) {
  const id = query.get('id') ?? ''
  const loaded = useData('source', id === '' ? null : { id })
  if (id === '')
    return (
      <>
        <Head title="Which source?" lead="The address names none." />
        <a href={to('catalog')}>Go to the catalog</a>
      </>
    )
  return <Ready from={loaded}>{(source) => <Shown source={source} />}</Ready>
}

function Shown({ source }: { source: Whole }) {
  const { id, tools, agents, failure, problems, problemCount, held } = source
  const waiting = (held?.changed ?? 0) + (held?.quarantined ?? 0)
  return (
    <>
      <Head title={id} lead={`${counted(tools, 'tool')} and ${counted(agents, 'agent')}.`}>
        <div class="actions">
          {tools > 0 && <Within id={id} kind="tool" />}
          {agents > 0 && <Within id={id} kind="agent" />}
        </div>
      </Head>
      <Facts
        facts={[
          ['State', <State source={source} />],
          ['Whose', whose(source)],
          ['Location', source.location],
          ['Format', source.reader],
          ['Read', <ReadAt source={source} />],
          ['Held', waiting === 0 ? undefined : <a href={to('held')}>{counted(waiting, 'card')} of it</a>],
        ]}
      />
      {failure && (
        <p class="problem">
          <strong>{failure}</strong> {tools + agents > 0 && 'Its old cards stay.'}
        </p>
      )}
      {problems.length > 0 && (
        <section>
          <h2>{counted(problemCount, 'problem')}</h2>
          <Problems problems={problems} />
          {problemCount > problems.length && <p class="note">The first {problems.length} are shown.</p>}
        </section>
      )}
      <Cards source={source} />
    </>
  )
}

/** To a search among the cards of one kind that the source has. */
const Within = ({ id, kind }: { id: string; kind: 'tool' | 'agent' }) => (
  <a class="button" href={to('find', { source: id, kind })}>
    Search its {kind}s
  </a>
)

/** Its cards, agents first. */
const Cards = ({ source: { cards, cardCount } }: { source: Whole }) => (
  <section>
    <h2>Its cards</h2>
    {cards.length === 0 ? (
      <Empty title="None of it is in search" />
    ) : (
      <ul class="plain cards">
        {cards.map(({ id, name, kind, description }) => (
          <li key={id}>
            <a href={to('card', { id })} dir="auto">
              {name}
            </a>{' '}
            <Chip>{kind}</Chip> <CardLink id={id} />
            <p class="note" dir="auto">
              {description}
            </p>
          </li>
        ))}
      </ul>
    )}
    {cardCount > cards.length && (
      <p class="note">
        The first {cards.length} of {cardCount.toLocaleString('en')}: search finds the others.
      </p>
    )}
  </section>
)
