import type { Api } from '../../../server/api/endpoints.ts'
import { call } from '../api.ts'
import { useAction, type useDone } from '../data.ts'
import { CardLink, Chip, Problem } from '../parts.tsx'
import { go, to } from '../place.ts'

type Source = Api['held']['output']['accepted'][number]
type From = ReturnType<typeof useDone>['from']

/** Cards that are in search since the user accepted them, and the way back. */
export const Accepted = ({ sources, from }: { sources: readonly Source[]; from: From }) => (
  <section>
    <h2>Accepted by you</h2>
    <p class="note">
      They are in search. Take one back, and it is held again and refused. No text of before is kept: nothing
      stands in its place.
    </p>
    {sources.map((source) => (
      <OfSource key={source.source} source={source} from={from} />
    ))}
  </section>
)

function OfSource({ source: { count, cards }, from }: { source: Source; from: From }) {
  const { failure, isBusy, run } = useAction()
  const takeBack = (card: Source['cards'][number]) => (event: { currentTarget: Element }) => {
    const done = from(event.currentTarget)
    run(async () => {
      await call('takeBack', { cards: [{ id: card.id, pin: card.pin }] })
      done(`Taken back: ${card.id} is held again and refused.`)
    })
  }
  return (
    <>
      <Problem failure={failure} />
      {cards.map((card) => (
        <article key={card.id} class="panel" data-item tabIndex={-1}>
          <div class="line spread">
            <p class="chips">
              <CardLink id={card.id} />
              {card.flags.map((rule) => (
                <Chip tone="warn">flagged: {rule}</Chip>
              ))}
            </p>
            <button type="button" class="button" disabled={isBusy} onClick={takeBack(card)}>
              Take back<span class="unseen"> {card.id}</span>
            </button>
          </div>
        </article>
      ))}
      {count > cards.length && (
        <p class="note">
          The first {cards.length} of {count} are shown.
        </p>
      )}
    </>
  )
}

/** That the user accepted a card, and the way back, beside the card itself. */
export function TakingBack({ card }: { card: { id: string; pin: string } }) {
  const { failure, isBusy, run } = useAction()
  const takeBack = (): void =>
    run(async () => {
      await call('takeBack', { cards: [card] })
      go(to('held'))
    })
  return (
    <section>
      <h2>Accepted by you</h2>
      <p class="note">
        It was held, and is in search since you accepted it. Taken back, it is held again and refused.
      </p>
      <Problem failure={failure} />
      <button type="button" class="button" disabled={isBusy} onClick={takeBack}>
        Take it back
      </button>
    </section>
  )
}
