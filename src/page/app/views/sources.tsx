import { asSentence } from '../../../domain/remedy-error.ts'
import type { Api } from '../../../server/api/endpoints.ts'
import { type PageColumn, Table } from '../../parts/table.tsx'
import { call } from '../api.ts'
import { useAction } from '../data.ts'
import { Chip, counted, Problem, When } from '../parts.tsx'
import { to } from '../place.ts'

export type Listed = Api['sources']['output']['sources'][number]
type Wrong = Api['source']['output']['problems']

const standings = {
  installed: 'yours',
  accepted: 'trusted by you',
  stranger: 'published by others',
  newcomer: 'published by others, new',
  distrusted: 'distrusted by you',
} as const

/** Whose words a source holds. */
export const whose = ({ isBundled, standing }: Pick<Listed, 'isBundled' | 'standing'>): string =>
  isBundled && standing === 'installed' ? 'ships with Audition' : standings[standing]

type StateOf = Pick<Listed, 'failure' | 'problemCount' | 'indexedAt' | 'held' | 'models'>

/** How a source stands, in a word: what is worst comes first. */
function stateOf(source: StateOf): { readonly tone: 'bad' | 'warn' | 'plain'; readonly says: string } {
  const { failure, problemCount, indexedAt, models } = source
  if (failure !== undefined) return { tone: 'bad', says: 'failed' }
  if (problemCount > 0) return { tone: 'warn', says: counted(problemCount, 'problem') }
  if (indexedAt === null) return { tone: 'warn', says: 'not asked yet' }
  if (models === undefined) return { tone: 'plain', says: 'ok' }
  const says =
    models.cards > 0 ? counted(models.cards, 'model') : `outcomes of ${counted(models.tasks, 'task')}`
  return { tone: 'plain', says }
}

/** How a source stands, as a sign. */
export function State({ source }: { source: StateOf }) {
  const { tone, says } = stateOf(source)
  return <Chip tone={tone}>{says}</Chip>
}

/** When a source was read, or that this was tried in vain. */
export const ReadAt = ({ source: { indexedAt, failure } }: { source: StateOf }) =>
  indexedAt === null && failure !== undefined ? <>tried, in vain</> : <When time={indexedAt} />

/** What is wrong, where, and what to do. */
export const Problems = ({ problems }: { problems: Wrong }) => (
  <ul class="plain problems">
    {problems.map(({ severity, file, field, message, remedy }) => (
      <li>
        <Chip tone={severity === 'error' ? 'bad' : 'warn'}>
          {severity === 'error' ? 'left out' : 'warning'}
        </Chip>{' '}
        <code dir="auto">{field === undefined ? file : `${file} ${field}`}</code>: {asSentence(message)}{' '}
        <span class="note">{remedy}</span>
      </li>
    ))}
  </ul>
)

const columns: readonly PageColumn<Listed>[] = [
  {
    title: 'Source',
    key: ({ id }) => id,
    shows: ({ id, location, failure }) => (
      <>
        <a href={to('source', { id })}>
          <strong>{id}</strong>
        </a>
        <small dir="auto">{location}</small>
        {failure && <small class="bad">{failure}</small>}
      </>
    ),
  },
  {
    title: 'State',
    key: (one) => stateOf(one).says,
    shows: (one) => (
      <a class="state" href={to('source', { id: one.id })}>
        <State source={one} />
      </a>
    ),
  },
  { title: 'Whose', key: whose },
  { title: 'Tools', number: true, key: ({ tools }) => tools },
  { title: 'Agents', number: true, key: ({ agents }) => agents },
  {
    title: 'Held',
    number: true,
    key: ({ held }) => (held?.changed ?? 0) + (held?.quarantined ?? 0),
  },
  {
    title: 'Read',
    key: ({ indexedAt }) => indexedAt ?? '',
    shows: (one) => <ReadAt source={one} />,
  },
]

/** Every source, how it stands, and the way to its cards. */
export function Sources({ sources, isOwner }: { sources: readonly Listed[]; isOwner: boolean }) {
  const { failure, isBusy, run } = useAction()
  if (sources.length === 0) return null
  const forget = (id: string): void =>
    run(async () => {
      if (confirm(`Forget "${id}" and its cards? Its files are not touched.`))
        await call('forget', { sources: [id] })
    })
  const forgetting: PageColumn<Listed> = {
    title: 'Forget',
    key: () => 0,
    shows: ({ id }) => (
      <button type="button" class="button quiet" disabled={isBusy} onClick={() => forget(id)}>
        Forget<span class="unseen"> {id}</span>
      </button>
    ),
  }
  return (
    <section>
      <h2>Sources</h2>
      <Problem failure={failure} />
      <Table
        caption="Sources of the index"
        stacks
        rows={sources}
        columns={isOwner ? columns.concat(forgetting) : columns}
      />
    </section>
  )
}
