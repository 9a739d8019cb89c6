import { useState } from 'preact/hooks'
import { CardLink } from './parts.tsx'

/** Who is run: each can be taken out, and more can be added. */
export function Candidates({
  cards,
  choose,
}: {
  cards: readonly string[]
  choose: (cards: readonly string[]) => void
}) {
  const [added, add] = useState('')
  const addOne = (): void => {
    if (added.trim() === '' || cards.length >= 10) return
    choose([...new Set([...cards, added.trim()])])
    add('')
  }
  return (
    <div>
      <h2>Candidates</h2>
      <ul class="plain candidates">
        {cards.map((id) => (
          <li>
            <CardLink id={id} />
            <button
              type="button"
              class="button quiet"
              onClick={() => choose(cards.filter((one) => one !== id))}
            >
              Remove<span class="unseen"> {id}</span>
            </button>
          </li>
        ))}
      </ul>
      <div class="line">
        <label class="grow">
          {cards.length === 0 ? 'Id of an agent or tool' : 'One more to compare'}
          <input
            value={added}
            onInput={({ currentTarget }) => add(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault() // the form would run the candidates that are there
              addOne()
            }}
            placeholder="source/name"
          />
        </label>
        <button
          type="button"
          class="button"
          disabled={added.trim() === '' || cards.length >= 10}
          onClick={addOne}
        >
          Add
        </button>
      </div>
    </div>
  )
}
