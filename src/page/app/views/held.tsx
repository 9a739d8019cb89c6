import type { Api } from '../../../server/api/endpoints.ts'
import { call } from '../api.ts'
import { useAction, useData, useDone } from '../data.ts'
import { counted, Empty, Head, Problem, Ready } from '../parts.tsx'
import { Accepted } from './accepted.tsx'
import { Accepting, Differences, HeldCard } from './held-card.tsx'

type Source = Api['held']['output']['sources'][number]
type Card = Source['cards'][number]
type From = ReturnType<typeof useDone>['from']

/** Cards that wait for a decision, with what they would change. */
export function Held() {
  const loaded = useData('held', {})
  const { said, from } = useDone()
  return (
    <>
      <Head
        title="Held"
        lead="Cards that changed since they were taken, or in which the scan found something. They are not in search until you accept them."
      />
      <p class="note" role="status">
        {said}
      </p>
      <Ready from={loaded}>
        {({ sources, accepted }) => (
          <>
            {sources.length === 0 ? (
              <Empty title="Nothing is held">
                <p>When a server says something else than before, it waits here for you.</p>
              </Empty>
            ) : (
              sources.map((source) => <OfSource key={source.source} source={source} from={from} />)
            )}
            {accepted.length > 0 && <Accepted sources={accepted} from={from} />}
          </>
        )}
      </Ready>
    </>
  )
}

/** What is decided of a source and of its cards, one thing at a time; the buttons say afterwards what was done. */
function useDeciding(source: string, from: From) {
  const { failure, isBusy, run } = useAction()
  const settle = (how: 'accept' | 'refuse', some: readonly Card[]) => (event: { currentTarget: Element }) => {
    const done = from(event.currentTarget)
    run(async () => {
      await call(how, { cards: some.map(({ id, pin }) => ({ id, pin })) })
      done(`${how === 'accept' ? 'Accepted' : 'Refused'}: ${some.map(({ id }) => id).join(', ')}`)
    })
  }
  const decide = (decision: 'trusted' | 'untrusted') => (event: { currentTarget: Element }) => {
    const done = from(event.currentTarget)
    run(async () => {
      const { released } = await call('trust', { sources: [source], decision })
      const now = released.length === 0 ? '' : ` In search now: ${counted(released.length, 'card')}.`
      done(
        decision === 'trusted'
          ? `Trusted: changes of ${source} are taken at once from now on.${now}`
          : `Distrusted: changes of ${source} are held, and cards of it that seem written to be found rank behind all others.`,
      )
    })
  }
  return { failure, isBusy, settle, decide }
}

/** What is held of one source. */
function OfSource({ source: { source, ...of }, from }: { source: Source; from: From }) {
  const deciding = useDeciding(source, from)
  const { failure, isBusy, settle } = deciding
  return (
    <section>
      <div class="line spread">
        <h2>{source}</h2>
        <ForAll open={of.cards.filter(({ isRefused }) => !isRefused)} {...deciding} />
      </div>
      <p class="note">
        Trusted, its changes are taken at once, but for what you refused and what the scan finds at fault.
        Distrusted, its changes wait for you, and cards that seem written to be found rank behind all others.
        Now its changes are {of.isTrusted ? 'taken' : 'held'},{' '}
        {of.decision === undefined ? 'by default' : 'as you decided'}.
      </p>
      <Problem failure={failure} />
      {of.server.length > 0 && (
        <div class="panel">
          <p>Another server answers than the one whose cards were taken:</p>
          <Differences of={of.server} />
        </div>
      )}
      {of.cards.map((card) => (
        <HeldCard
          key={card.id}
          card={card}
          isBusy={isBusy}
          accept={settle('accept', [card])}
          refuse={settle('refuse', [card])}
        />
      ))}
      {of.count > of.cards.length && (
        <p class="note">
          The first {of.cards.length} of {of.count} are shown.
        </p>
      )}
    </section>
  )
}

type ForAllProps = Omit<ReturnType<typeof useDeciding>, 'failure'> & { open: readonly Card[] }

/** Decides on all open cards of a source, and on the source. */
const ForAll = ({ open, isBusy, settle, decide }: ForAllProps) => (
  <div class="actions">
    {open.length > 1 && (
      <>
        <Accepting cards={open} isBusy={isBusy} accept={settle('accept', open)}>
          Accept all {open.length}
        </Accepting>
        <button type="button" class="button" disabled={isBusy} onClick={settle('refuse', open)}>
          Refuse all {open.length}
        </button>
      </>
    )}
    <button type="button" class="button" disabled={isBusy} onClick={decide('trusted')}>
      Trust its changes
    </button>
    <button type="button" class="button" disabled={isBusy} onClick={decide('untrusted')}>
      Distrust it
    </button>
  </div>
)
