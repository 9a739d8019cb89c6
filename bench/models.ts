import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blendedPrice } from '../src/domain/model-card.ts'
import { largest } from '../src/models/model-estimate.ts'
import { wordCosines } from '../src/models/task-table.ts'
import { atLeast, atMost, type Bench, type Table } from './bench.ts'
import { byEstimate, type OutcomeRow, outcomesFile, readOutcomes } from './model-outcomes.ts'
import { mean } from './scores.ts'
import { noModel, shippedModel } from './static-model-folder.ts'

const pricesFile = (data: string) => join(data, '..', 'llms', 'perquery_llmrouter_models.jsonl')

const folds = 5
/** Neighbours of the baseline, of which cross-validation chooses; and what a dollar costs, in points of a hundred. */
const neighbours = [10, 20, 40, 80, 160]
const priceWeights = [0, 1, 2, 4, 6, 8, 10, 15, 20, 30]
const thresholds = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 1.01]

/** Of each request the model that a router chose. */
type Choice = readonly string[]

/** Whether the model that is chosen for a task is the right one, and what that costs. */
export const models: Bench = {
  name: 'models',
  question: 'Is the model that is chosen for a request better than the best single one, and at what price?',
  async run({ data, quick, log }) {
    if (data === null || !existsSync(outcomesFile(data)))
      return { tables: [], notes: ['skipped: data not present'], floors: [] }
    const model = await shippedModel()
    if (model === null) return { tables: [], notes: [noModel], floors: [] }
    const prices = pricesOf(data)
    const { train, test } = await readOutcomes(data, quick ? (model.plain ?? model) : model, log)
    await model.close()
    const names = Object.keys(train[0]!.scores).sort()
    const best = (rows: readonly OutcomeRow[]): string =>
      names.reduce((a, b) =>
        mean(rows.map((row) => row.scores[b]!)) > mean(rows.map((row) => row.scores[a]!)) ? b : a,
      )
    log('models: cross-validation on the train split')
    const k = bestOf(neighbours, (one) =>
      crossed(train, (known, asked) => nearestByWords(known, asked, names, one)),
    )
    const routers: readonly (readonly [string, Router])[] = [
      ['best single model of train', (known, asked) => asked.map(() => best(known))],
      [
        `TF-IDF nearest neighbours, k ${k} by cross-validation`,
        (known, asked) => nearestByWords(known, asked, names, k),
      ],
      [
        'Audition',
        (known, asked) =>
          byEstimate(known, asked, names).map((estimates) => argmax(names, (name) => estimates(name))),
      ],
      ['oracle', (_, asked) => asked.map(({ scores }) => argmax(names, (name) => scores[name]!))],
    ]
    const seen = new Set(train.map(({ task }) => task))
    const measured = routers.map(([name, route]) => {
      const choice = route(train, test)
      const among = (isSeen: boolean) =>
        mean(test.flatMap(({ task, scores }, at) => (seen.has(task) === isSeen ? scores[choice[at]!]! : [])))
      return {
        name,
        crossed: crossed(train, route),
        fresh: among(false),
        repeated: among(true),
        ...figuresOf(test, choice, prices),
      }
    })
    const [single, , ours] = measured
    return {
      tables: [
        {
          title: 'LLMRouter, nine models',
          head: [
            'router',
            'train, cross-validated',
            'test',
            'not in train',
            'in train too',
            '$ per million tokens, test',
          ],
          rows: measured.map((row) => [
            row.name,
            (100 * row.crossed).toFixed(1),
            (100 * row.score).toFixed(1),
            (100 * row.fresh).toFixed(1),
            (100 * row.repeated).toFixed(1),
            row.price.toFixed(2),
          ]),
        },
        curve(train, test, { names, prices }),
      ],
      notes: [
        `Of ${test.length} requests of test ${test.filter(({ task }) => seen.has(task)).length} stand in train too.`,
        `${train.length} requests of train, ${test.length} of test; the mean score of the chosen model, percent. Everything was chosen by ${folds}-fold cross-validation on train.`,
        'Cost and quality: ours by what a dollar per million tokens costs in points; beside it a threshold of the probability that the strong model beats the weak one, as RouteLLM routes, told by the same estimate.',
        ...(quick ? ['Quick: without the reader.'] : []),
      ],
      floors: [
        atLeast('score of the chosen models on test', 60, 100 * ours!.score, '%'),
        atMost(
          'price of the chosen models, as the best single one',
          round(single!.price),
          round(ours!.price),
          ' $',
        ),
      ],
    }
  },
}

const round = (dollars: number): number => Number(dollars.toFixed(2))

type Router = (known: readonly OutcomeRow[], asked: readonly OutcomeRow[]) => Choice

function pricesOf(data: string): ReadonlyMap<string, number> {
  const lines = readFileSync(pricesFile(data), 'utf8').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const { model, price_in_per_m: input, price_out_per_m: output } = JSON.parse(line)
      return [model as string, blendedPrice({ input, output })]
    }),
  )
}

/** The mean score over train, each fold routed by the others. */
function crossed(rows: readonly OutcomeRow[], route: Router): number {
  const scores: number[] = []
  for (let fold = 0; fold < folds; fold += 1) {
    // Neighbours in the file are alike: folds take every fifth.
    const asked = rows.filter((_, at) => at % folds === fold)
    const choice = route(
      rows.filter((_, at) => at % folds !== fold),
      asked,
    )
    scores.push(...asked.map(({ scores: own }, at) => own[choice[at]!]!))
  }
  return mean(scores)
}

function figuresOf(rows: readonly OutcomeRow[], choice: Choice, prices: ReadonlyMap<string, number>) {
  return {
    score: mean(rows.map(({ scores }, at) => scores[choice[at]!]!)),
    price: mean(choice.map((name) => prices.get(name) ?? Number.NaN)),
  }
}

function nearestByWords(
  known: readonly OutcomeRow[],
  asked: readonly OutcomeRow[],
  names: readonly string[],
  k: number,
): Choice {
  const cosinesTo = wordCosines(known)
  return asked.map(({ task }) => {
    const near = nearest(cosinesTo(task), k)
    return argmax(names, (name) => near.reduce((sum, at) => sum + known[at]!.scores[name]!, 0))
  })
}

function nearest(nearness: Float32Array, k: number): readonly number[] {
  const least = largest(nearness, k)
  return Array.from(nearness.keys())
    .filter((at) => nearness[at]! >= least)
    .sort((a, b) => nearness[b]! - nearness[a]! || a - b)
    .slice(0, k)
}

const argmax = (names: readonly string[], of: (name: string) => number): string =>
  names.reduce((best, name) => (of(name) > of(best) ? name : best))

const bestOf = (values: readonly number[], of: (value: number) => number): number => {
  const scores = values.map(of)
  return values[scores.indexOf(Math.max(...scores))]!
}

/** What quality costs, by ours and by thresholds between the two models that the train split says are the best and the best of the cheapest. */
function curve(
  train: readonly OutcomeRow[],
  test: readonly OutcomeRow[],
  { names, prices }: { readonly names: readonly string[]; readonly prices: ReadonlyMap<string, number> },
): Table {
  const estimates = byEstimate(train, test, names)
  const ours = priceWeights.map((weight) => {
    const net = (at: number) => (name: string) => estimates[at]!(name) - (weight / 100) * prices.get(name)!
    return figuresOf(
      test,
      test.map((_, at) => argmax(names, net(at))),
      prices,
    )
  })
  const worth = (name: string): number => mean(train.map(({ scores }) => scores[name]!))
  const cheapest = Math.min(...names.map((name) => prices.get(name)!))
  const strong = argmax(names, worth)
  const weak = argmax(
    names.filter((name) => prices.get(name) === cheapest),
    worth,
  )
  const won = train.map((row) => ({
    ...row,
    scores: { won: row.scores[strong]! > row.scores[weak]! ? 1 : 0 },
  }))
  const wins = byEstimate(won, test, ['won']).map((of) => of('won'))
  const routed = thresholds.map((threshold) =>
    figuresOf(
      test,
      wins.map((win) => (win >= threshold ? strong : weak)),
      prices,
    ),
  )
  const cells = ({ score, price }: ReturnType<typeof figuresOf>) => [
    (100 * score).toFixed(1),
    price.toFixed(2),
  ]
  return {
    title: `Cost and quality on test; thresholds between ${strong} and ${weak}`,
    head: ['points per $', 'ours', '$', 'win probability from', 'threshold', '$'],
    rows: priceWeights.map((weight, at) => [
      `${weight}`,
      ...cells(ours[at]!),
      thresholds[at]! > 1 ? 'never' : thresholds[at]!.toFixed(2),
      ...cells(routed[at]!),
    ]),
  }
}
