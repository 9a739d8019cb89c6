import type { AgentCard, Card } from '../../domain/card.ts'
import type { JsonValue } from '../../domain/json.ts'

/**
 * Who a text speaks to, which decides what it may ask for:
 * - `name`: names and titles
 * - `reference`: documentation, read by whoever looks for a tool; has no business commanding
 * - `value`: enumerations, defaults, examples: data
 * - `prompt`: the system prompt of an agent, which commands the agent that runs on it
 */
export type Register = 'name' | 'reference' | 'value' | 'prompt'

/** One text of a card; `cardLength` is that of all its texts, where they are read together. */
export type CardText = {
  readonly field: string
  readonly register: Register
  readonly text: string
  readonly cardLength?: number
}

/** Deeper than any card that gets this far. What lies deeper all the same is left out, and so is what comes after so many texts. */
const deepest = 250
const mostTexts = 20_000

/**
 * Every text of a card that a model or a person may come to read, each once.
 *
 * @param onLeftOut - called with the field of each text that is not looked at
 */
export function textsOfCard(
  card: Card,
  onLeftOut: (field: string) => void = () => undefined,
): readonly CardText[] {
  const texts: CardText[] = []
  const { add, addJson } = collecting(texts, onLeftOut)
  add('name', 'name', card.name)
  add('title', 'name', card.title)
  add('description', isPrompt(card) ? 'prompt' : 'reference', card.description)
  if (card.kind === 'agent') add('instructions', 'prompt', card.instructions)
  if (card.kind === 'tool') {
    add('server', 'name', card.server)
    for (const { name, description } of card.parameters) {
      add(`parameters.${name}`, 'name', name)
      add(`parameters.${name}.description`, 'reference', description)
    }
    addJson({ field: 'inputSchema', register: 'reference' }, card.inputSchema)
    addJson({ field: 'outputSchema', register: 'reference' }, card.outputSchema)
    addJson({ field: 'documentation', register: 'reference' }, parsed(card.documentation))
  } else {
    card.tools.forEach(({ name, description }, index) => {
      add(`tools[${index}].name`, 'name', name)
      add(`tools[${index}].description`, 'reference', description)
    })
    add('backbone.name', 'name', card.backbone?.name)
    add('backbone.description', 'reference', card.backbone?.description)
    addJson({ field: 'policy', register: 'prompt' }, card.policy)
  }
  for (const [index, example] of card.examples.entries()) add(`examples[${index}]`, 'value', example)
  for (const [index, tag] of card.tags.entries()) add(`tags[${index}]`, 'name', tag)
  add('publisher', 'name', card.publisher)
  addJson({ field: 'details', register: 'value' }, card.provenance.details)
  return texts
}

/** Adds to the texts what is not among them. */
function collecting(texts: CardText[], onLeftOut: (field: string) => void) {
  const seen = new Set<string>()
  const add = (field: string, register: Register, text: string | undefined): void => {
    if (text === undefined || text === '' || seen.has(text)) return
    if (texts.length >= mostTexts) {
      onLeftOut(field)
      return
    }
    seen.add(text)
    texts.push({ field, register, text })
  }
  const addJson = (
    { field, register }: Omit<CardText, 'text'>,
    value: JsonValue | undefined,
    depth = 0,
  ): void => {
    if (typeof value === 'string') add(field, register, value)
    if (typeof value !== 'object' || value === null) return
    if (depth > deepest) {
      onLeftOut(field)
      return
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        addJson({ field: `${field}[${index}]`, register }, item, depth + 1)
      return
    }
    for (const [key, item] of Object.entries(value)) {
      const place = `${field}.${key}`
      add(place, 'name', key)
      addJson({ field: place, register: values.has(key) ? 'value' : register }, item, depth + 1)
    }
  }
  return { add, addJson }
}

const values = new Set(['enum', 'default', 'example', 'examples', 'const', 'pattern'])

/** A description that only repeats how the prompt begins is part of the prompt. */
const isPrompt = (card: Card): boolean =>
  card.kind === 'agent' && repeatsPrompt(card.description, (card as AgentCard).instructions)

const comparedLength = 200
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const repeatsPrompt = (description: string, instructions = ''): boolean => {
  const start = oneLine(description)
    .replace(/(?<![.…\s])[.…\s]+$/, '')
    .slice(0, comparedLength)
  return start.length > 0 && oneLine(instructions.slice(0, 10 * comparedLength)).includes(start)
}

/** Documentation published as JSON within a text, taken apart; any other as it is. */
function parsed(published: JsonValue | undefined): JsonValue | undefined {
  if (typeof published !== 'string' || !/^\s*[{[]/.test(published)) return published
  try {
    return JSON.parse(published) as JsonValue
  } catch {
    return published
  }
}
