import type { ToolCard } from '../../../domain/card.ts'
import { useData } from '../data.ts'

type ArgumentsProps = {
  cards: readonly string[]
  given: string
  give: (text: string) => void
}

/** What a tool is called with: open where the chosen one needs something, with the names and types of its inputs. */
export function Arguments({ cards, given, give }: ArgumentsProps) {
  const { value } = useData('card', cards.length === 0 ? null : { id: cards[0]! })
  const card = value !== undefined && value.card.id === cards[0] ? value.card : undefined
  const inputs = card?.kind === 'tool' ? card.parameters : []
  const isNeeded = inputs.some(({ required }) => required)
  return (
    <details key={isNeeded ? cards[0] : ''} open={given !== '' || isNeeded}>
      <summary>Arguments of a tool{isNeeded && `: ${cards[0]} needs them`}</summary>
      {inputs.length > 0 && <Inputs inputs={inputs} />}
      <label class="field">
        One JSON object; say the task above too
        <textarea
          class="short"
          value={given}
          onInput={({ currentTarget }) => give(currentTarget.value)}
          placeholder={isNeeded ? exampleOf(inputs) : '{"city": "Oslo"}'}
        />
      </label>
    </details>
  )
}

type Input = ToolCard['parameters'][number]

const Inputs = ({ inputs }: { inputs: readonly Input[] }) => (
  <ul class="plain">
    {inputs.map(({ name, type, required, description }) => (
      <li dir="auto">
        <code>{name}</code>{' '}
        <span class="note">
          {[type, required ? 'required' : 'optional'].filter(Boolean).join(', ')}
          {description && `: ${description}`}
        </span>
      </li>
    ))}
  </ul>
)

const samples: { readonly [type: string]: unknown } = {
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
}

/** How an object of what is required looks. */
const exampleOf = (inputs: readonly Input[]): string =>
  JSON.stringify(
    Object.fromEntries(
      inputs.filter(({ required }) => required).map(({ name, type }) => [name, samples[type ?? ''] ?? '…']),
    ),
  )
