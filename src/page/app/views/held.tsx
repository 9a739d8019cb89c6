import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Api } from '../../../server/api/endpoints.ts'
import { call } from '../api.ts'
import { useAction, useData, useDone } from '../data.ts'
import { Chip, counted, Empty, Head, Problem, Ready, When } from '../parts.tsx'

type Source = Api['held']['output']['sources'][number]
type Card = Source['cards'][number]

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
        {({ sources }) =>
          sources.length === 0 ? (
            <Empty title="Nothing is held">
              <p>When a server says something else than before, it waits here for you.</p>
            </Empty>
          ) : (
            sources.map((source) => <OfSource key={source.source} source={source} from={from} />)
          )
        }
      </Ready>
    </>
  )
}

type OfSourceProps = { source: Source; from: ReturnType<typeof useDone>['from'] }

function OfSource({ source: { source, count, server, cards, isTrusted, decision }, from }: OfSourceProps) {
  const { failure, isBusy, run } = useAction()
  const settle = (how: 'accept' | 'refuse', some: readonly Card[]) => (event: { currentTarget: Element }) => {
    const done = from(event.currentTarget)
    run(async () => {
      await call(how, { cards: some.map(({ id, pin }) => ({ id, pin })) })
      done(`${how === 'accept' ? 'Accepted' : 'Refused'}: ${some.map(({ id }) => id).join(', ')}`)
    })
  }
  const open = cards.filter(({ isRefused }) => !isRefused)
  const decide = (decision: 'trusted' | 'untrusted') => (event: { currentTarget: Element }) => {
    const done = from(event.currentTarget)
    run(async () => {
      const { released } = await call('trust', { sources: [source], decision })
      const now = released.length === 0 ? '' : ` In search now: ${counted(released.length, 'card')}.`
      done(
        decision === 'trusted'
          ? `Trusted: changes of ${source} are taken at once from now on.${now}`
          : `Distrusted: changes of ${source} are held, and its cards that read as written to be found stand behind others.`,
      )
    })
  }
  return (
    <section>
      <div class="line spread">
        <h2>{source}</h2>
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
      </div>
      <p class="note">
        Trust takes its changes at once, but for what you refused and what the scan finds at fault. Distrust
        holds them, and its cards that read as written to be found stand behind others. In force: its changes
        are {isTrusted ? 'taken' : 'held'}, {decision === undefined ? 'by where it lies' : 'as you decided'}.
      </p>
      <Problem failure={failure} />
      {server.length > 0 && (
        <div class="panel">
          <p>Another server answers than the one whose cards were taken:</p>
          <Differences of={server} />
        </div>
      )}
      {cards.map((card) => (
        <article key={card.id} class="panel held" data-item tabIndex={-1}>
          <div class="line spread">
            <h3 dir="auto">{card.id}</h3>
            <span class="note">
              since <When time={card.since} />
            </span>
          </div>
          <p class="chips">
            {card.isQuarantined && <Chip tone="bad">quarantined by the scan</Chip>}
            {card.change && <Chip tone="warn">{changes[card.change]}</Chip>}
            {card.isRefused && <Chip>refused by you, until it changes</Chip>}
          </p>
          <p class="note">
            {card.replaces === undefined
              ? 'Nothing stands in its place meanwhile.'
              : card.replaces === card.id
                ? 'The card of before stays in search meanwhile.'
                : `${card.replaces} stays in search meanwhile.`}
          </p>
          {card.findings.map(({ rule, field, message, excerpt, severity }) => (
            <p class={severity === 'hard' ? 'bad' : undefined}>
              <strong>{rule}</strong> in {field}: {message} {excerpt && <q dir="auto">{excerpt}</q>}
            </p>
          ))}
          <Differences of={card.differences} />
          <div class="actions">
            <Accepting cards={[card]} isBusy={isBusy} accept={settle('accept', [card])}>
              Accept<span class="unseen"> {card.id}</span>
            </Accepting>
            {!card.isRefused && (
              <button type="button" class="button" disabled={isBusy} onClick={settle('refuse', [card])}>
                Refuse<span class="unseen"> {card.id}</span>
              </button>
            )}
          </div>
        </article>
      ))}
      {count > cards.length && (
        <p class="note">
          The first {cards.length} of {count} are shown.
        </p>
      )}
    </section>
  )
}

type AcceptingProps = {
  cards: readonly Card[]
  isBusy: boolean
  accept: (event: { currentTarget: Element }) => void
  children: ComponentChildren
}

/** Accepts at once what is held for a change alone; asks once more where the scan found something at fault. */
function Accepting({ cards, isBusy, accept, children }: AcceptingProps) {
  const [asked, ask] = useState('')
  const faults = cards.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'hard'))
  const shown = cards.map(({ pin }) => pin).join(' ')
  const isAsked = asked === shown
  if (faults.length === 0)
    return (
      <button
        type="button"
        class={cards.length === 1 ? 'button primary' : 'button'}
        disabled={isBusy}
        onClick={accept}
      >
        {children}
      </button>
    )
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={isBusy}
        aria-expanded={isAsked}
        onClick={() => ask(isAsked ? '' : shown)}
      >
        {children}
      </button>
      {isAsked && (
        <div class="ask">
          <p role="alert">
            The scan says: {[...new Set(faults.map(({ message }) => message))].join('; ')}. Accept all the
            same?
          </p>
          <p>
            <button type="button" class="button" disabled={isBusy} onClick={accept}>
              Accept all the same
            </button>
          </p>
        </div>
      )}
    </>
  )
}

const changes = {
  text: 'it says something else',
  name: 'it goes by another name',
  server: 'another server answers',
} as const

/** What was said before, and what is said now. */
const Differences = ({ of }: { of: Card['differences'] }) => (
  <div class="diff">
    {of.map(({ field, removed, added }) => (
      <>
        <p class="note">{field}</p>
        {removed.map((line) => (
          <del dir="auto">{line}</del>
        ))}
        {added.map((line) => (
          <ins dir="auto">{line}</ins>
        ))}
      </>
    ))}
  </div>
)
