import type { EmbeddingHead } from '../../../../src/vectors/embedding/packed-embedding.ts'
import type { TrainingSetSummary } from '../data/describe-training-data.ts'
import { type FamilyVerdicts, leastServed } from '../ranker/choose-thresholds.ts'
import type { ModelCard } from './model-card.ts'

type DescribedModel = { readonly name: string; readonly head: EmbeddingHead; readonly card: ModelCard }

/** The model card for people, in Markdown. */
export const modelReadme = ({ name, head, card }: DescribedModel): string =>
  `${[
    `# ${name}`,
    `A static two-tower embedding of ${head.tokens} tokens and ${head.dimensions} dimensions (8 bits each), vectors by which the same tokens are matched one by one, and a ranker of boosted trees, for finding the tool or agent that serves a request. Made by \`audition train\`; \`model.json\` holds the same facts for programs.`,
    '## Data',
    table(
      ['set', 'family', 'licence', 'cards', 'queries', 'judged pairs', 'self-supervised pairs'],
      card.data.map(dataRow),
    ),
    leftOutLine(card),
    '## Recipe',
    originLines(card).join('\n'),
    table(
      ['setting', 'value'],
      Object.entries(card.recipe).map(([setting, value]) => [setting, valueText(value)]),
    ),
    '## Training',
    trainingLines(card).join('\n'),
    table(
      ['stage', 'seconds'],
      Object.entries(card.seconds).map(([stage, seconds]) => [stage, seconds.toFixed(1)]),
    ),
    '## Results',
    resultsText(card),
    '## Limits',
    'Mostly English. Words that the data does not hold are cut into pieces, which carry less meaning. A query is a weighted mean of its words: order and negation are not seen.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`

const dataRow = (set: TrainingSetSummary): readonly string[] => [
  set.name,
  set.family,
  set.licence,
  ...[set.cards, set.queries, set.judgedPairs, set.selfSupervisedPairs].map(String),
]

const leftOutLine = ({ leftOut }: ModelCard): string =>
  leftOut.length === 0 ? '' : `Left out on purpose: ${leftOut.join(', ')}.`

function originLines({ base, initialVectors, seed, versions }: ModelCard): readonly string[] {
  const start =
    base !== null
      ? `Adapted from ${base.name} (weights ${base.sha256}), whose vocabulary, vectors for matching words and ranker it keeps.`
      : initialVectors !== null
        ? `Token vectors start from ${initialVectors.file} (SHA-256 ${initialVectors.sha256}), which knows ${initialVectors.words} of the tokens.`
        : 'Token vectors start from random numbers.'
  const known = Object.entries(versions).map(([what, version]) => `${what} ${version}`)
  return [start, `Seed ${seed}; ${known.join(', ')}.`]
}

function trainingLines({ embedding, interaction, ranker, answers, reader }: ModelCard): readonly string[] {
  const { supervisedPairs, selfSupervisedPairs, losses, heldOutQueries, heldOutNdcg10 } = embedding
  return [
    `Embedding: ${supervisedPairs} queries and ${selfSupervisedPairs} self-supervised pairs to draw from; loss per epoch ${losses.map((loss) => loss.toFixed(3)).join(', ')}.`,
    heldOutNdcg10 === null
      ? 'No queries were held out.'
      : `nDCG@10 of ${heldOutQueries} held-out queries, embedding alone: ${heldOutNdcg10.toFixed(4)}.`,
    interaction === null
      ? 'Words one by one: as in the adapted model.'
      : `Words one by one: loss per epoch ${interaction.losses.map((loss) => loss.toFixed(3)).join(', ')}.`,
    ranker === null ? 'Ranker: that of the adapted model.' : rankerText('Ranker', ranker),
    ...(answers === null ? [] : [answersText(answers)]),
    ...(reader === undefined
      ? []
      : [
          `Reader: ${reader.name} (weights ${reader.sha256}). What its ranker learned from was read by ${reader.parts.length} others, each trained without the families of its part: ${reader.parts.join(', ')}.`,
          rankerText('Ranker with readings', reader.ranker),
          ...(reader.answers === null ? [] : [answersText(reader.answers)]),
        ]),
  ]
}

const rankerText = (
  name: string,
  { trees, rows, queries, heldOutNdcg10 }: NonNullable<ModelCard['ranker']>,
): string =>
  `${name}: ${trees} trees from ${rows} candidates of ${queries} queries, scored by models that had not seen them${
    heldOutNdcg10 === null ? '' : `; nDCG@10 on those set apart ${heldOutNdcg10.toFixed(4)}`
  }.`

const answersText = ({ trees, queries, leftOut }: NonNullable<ModelCard['answers']>): string =>
  `Whether anything serves: ${trees} trees from ${queries} queries, asked with and without what serves them.${leftOutText(leftOut)}`

function leftOutText(families: readonly FamilyVerdicts[]): string {
  const measured = families.filter(({ served }) => served >= leastServed)
  if (measured.length === 0) return ''
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length
  const answered = measured.map((family) => family.answered)
  const refused = percent(mean(measured.map((family) => family.refused)))
  const foreign = percent(mean(measured.map((family) => family.foreignRefused)))
  return ` On families that were left out ${percent(mean(answered))} of what is served is answered, ${percent(Math.min(...answered))} of the worst, ${refused} of what is missing among its relatives is refused, and ${foreign} of what a catalog of another family is asked.`
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

function resultsText({ results }: ModelCard): string {
  const sets = Object.entries(results)
  if (sets.length === 0)
    return 'Not measured yet on sets that were not trained on; `audition evaluate` does it.'
  const measures = [...new Set(sets.flatMap(([, values]) => Object.keys(values)))]
  return table(
    ['set', ...measures],
    sets.map(([set, values]) => [set, ...measures.map((measure) => values[measure]?.toFixed(4) ?? '–')]),
  )
}

const valueText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([name, inner]) => `${name} ${inner}`)
        .join(', ')
    : String(value)

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')

/** Names of sets come from folders: none may end its cell. */
const cell = (text: string): string => text.replace(/[\r\n]+/g, ' ').replaceAll('|', '\\|')
