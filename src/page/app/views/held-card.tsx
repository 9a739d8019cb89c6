import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Api } from '../../../server/api/endpoints.ts'
import { Chip, When } from '../parts.tsx'

type Card = Api['held']['output']['sources'][number]['cards'][number]
type Deciding = (event: { currentTarget: Element }) => void

const changes = {
  text: 'it says something else',
  name: 'it goes by another name',
  server: 'another server answers',
} as const

type HeldCardProps = { card: Card; isBusy: boolean; accept: Deciding; refuse: Deciding }

/** A card that waits: since when and why, what it would change, and the user's word for it. */
export const HeldCard = ({ card, isBusy, accept, refuse }: HeldCardProps) => (
  <article class="panel held" data-item tabIndex={-1}>
    <div class="line spread">
      <h3 dir="auto">{card.id}</h3>
      <span class="note">
        since <When time={card.since} />
      </span>
    </div>
    <Why card={card} />
    <Differences of={card.differences} />
    <div class="actions">
      <Accepting cards={[card]} isBusy={isBusy} accept={accept}>
        Accept<span class="unseen"> {card.id}</span>
      </Accepting>
      {!card.isRefused && (
        <button type="button" class="button" disabled={isBusy} onClick={refuse}>
          Refuse<span class="unseen"> {card.id}</span>
        </button>
      )}
    </div>
  </article>
)

/** Why it is held, what stands in its place, and what the scan found. */
const Why = ({ card: { id, change, isQuarantined, isRefused, replaces, findings } }: { card: Card }) => (
  <>
    <p class="chips">
      {isQuarantined && <Chip tone="bad">quarantined by the scan</Chip>}
      {change && <Chip tone="warn">{changes[change]}</Chip>}
      {isRefused && <Chip>refused by you, until it changes</Chip>}
    </p>
    <p class="note">
      {replaces === undefined
        ? 'Nothing stands in its place meanwhile.'
        : replaces === id
          ? 'The card of before stays in search meanwhile.'
          : `${replaces} stays in search meanwhile.`}
    </p>
    {findings.map(({ rule, field, message, excerpt, severity }) => (
      <p class={severity === 'hard' ? 'bad' : undefined}>
        <strong>{rule}</strong> in {field}: {message} {excerpt && <q dir="auto">{excerpt}</q>}
      </p>
    ))}
  </>
)

type AcceptingProps = {
  cards: readonly Card[]
  isBusy: boolean
  accept: Deciding
  children: ComponentChildren
}

/** Accepts at once what is held for a change alone; asks once more where the scan found something at fault. */
export function Accepting({ cards, isBusy, accept, children }: AcceptingProps) {
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

/** What was said before, and what is said now. */
export const Differences = ({ of }: { of: Card['differences'] }) => (
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
