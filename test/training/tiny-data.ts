import { folderWith, query, tool } from './data/folders.ts'

/** What cards say, and what people say for it: no word in common. */
const actions = [
  ['create', 'make'],
  ['delete', 'erase'],
  ['list', 'enumerate'],
  ['send', 'dispatch'],
  ['update', 'modify'],
  ['search', 'seek'],
  ['rename', 'relabel'],
  ['copy', 'duplicate'],
] as const
const objects = [
  ['invoice', 'bill'],
  ['email', 'letter'],
  ['image', 'picture'],
  ['customer', 'client'],
  ['meeting', 'appointment'],
  ['payment', 'remittance'],
  ['file', 'document'],
  ['song', 'tune'],
  ['car', 'automobile'],
  ['doctor', 'physician'],
  ['house', 'dwelling'],
  ['road', 'street'],
] as const

/** A tool whose queries are asked in words that its card does not hold. */
type TinyTool = {
  readonly id: string
  readonly description: string
  readonly asked: string
  readonly isTrained: boolean
}

const tools: readonly TinyTool[] = actions.flatMap(([act, asAct], row) =>
  objects.map(([object, asObject], column) => ({
    id: `${act}_${object}`,
    description: `Lets you ${act} any ${object} there is.`,
    asked: `${asAct} the ${asObject}`,
    isTrained: (row + column) % 6 !== 0,
  })),
)

/** Every sixth tool: its words are known from others' queries, but none of its own was ever seen. */
export const unseen = tools.filter(({ isTrained }) => !isTrained)

export const wordings = ['please', 'could you', 'I want to', 'now'] as const

const filesOf = (own: readonly TinyTool[], asked: readonly string[]) => ({
  'tools.jsonl': own.map(({ id, description }) => tool(id, description)),
  'queries.jsonl': own
    .filter(({ isTrained }) => isTrained)
    .flatMap((one) => asked.map((words, at) => query(`${one.id}-${at}`, `${words} ${one.asked}`, [one.id]))),
})

/** A new folder with two sets, one per half of the tools, each tool asked for in these ways. */
export function tinyData(asked: readonly string[] = wordings): string {
  const halves = { left: tools.slice(0, 48), right: tools.slice(48) }
  return folderWith(
    Object.fromEntries(
      Object.entries(halves).flatMap(([name, own]) =>
        Object.entries(filesOf(own, asked)).map(([file, lines]) => [`${name}/${file}`, lines]),
      ),
    ),
  )
}

/** All tools as one set, for looking things up. */
export const tinyTools = tools

export const tinyRecipe = {
  vocabulary: 400,
  minimumCount: 1,
  dimensions: 24,
  keptDimensions: 16,
  batchSize: 32,
  epochs: 12,
  learningRate: 0.02,
  heldOut: 0.1,
  interaction: {
    dimensions: 16,
    epochs: 3,
    learningRate: 0.1,
    queriesPerSet: 100,
    hardCards: 3,
    randomCards: 2,
  },
  folds: 2,
  rankerQueries: 40,
  ranker: {
    trees: 10,
    leaves: 4,
    learningRate: 0.2,
    minimumRows: 5,
    featureFraction: 1,
    rowFraction: 1,
    lambdaL2: 1,
    truncation: 10,
    bins: 32,
  },
} as const

/** The tool asked for in a jargon: its words are those of the next action and object. */
export const otherWords = ({ id }: Pick<TinyTool, 'id'>): string => {
  const place = tools.findIndex((one) => one.id === id)
  const [row, column] = [Math.floor(place / objects.length), place % objects.length]
  const [act, object] = [actions[(row + 1) % actions.length]!, objects[(column + 1) % objects.length]!]
  return `${act[1]} the ${object[1]}`
}
