import { blendedPrice } from '../../../domain/model-card.ts'
import { countOf } from '../../../domain/text/count-of.ts'
import type { Api } from '../../../server/api/endpoints.ts'
import { Plot } from '../../parts/plot.tsx'
import { Table } from '../../parts/table.tsx'
import { useData } from '../data.ts'
import { Chip, Empty, Head, Ready } from '../parts.tsx'
import { go, to, useField } from '../place.ts'
import type { ViewProps } from '../session.ts'

type Model = Api['models']['output']['models'][number]

const percent = (share: number): string => `${Math.round(100 * share)}%`

/** Which language model for a task, and for a budget: what was seen of each beside what it costs. */
export function Models({ place: { query } }: ViewProps) {
  const task = query.get('task') ?? ''
  const budget = query.get('budget') ?? ''
  const [text, type] = useField(task)
  const [most, spend] = useField(budget)
  const loaded = useData('models', {
    ...(task === '' ? {} : { task }),
    ...(budget === '' ? {} : { budget: Number(budget) }),
  })
  return (
    <>
      <Head
        title="Models"
        lead="Language models by how well they did, on tasks near yours, and by what they cost."
      />
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault()
          go(to('models', { task: text.trim(), budget: most }))
        }}
      >
        <label class="grow">
          For the task; empty: over all tasks
          <input value={text} onInput={({ currentTarget }) => type(currentTarget.value)} />
        </label>
        <label class="field budget">
          Most dollars per million tokens
          <input
            type="number"
            min="0"
            step="any"
            value={most}
            onInput={({ currentTarget }) => spend(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button">
          Compare
        </button>
      </form>
      <Ready from={loaded}>
        {({ models, known, tasks }) =>
          models.length === 0 ? (
            <Empty title={known === 0 ? 'No model is known yet' : 'No model is that cheap'}>
              <p>
                Set AUDITION_LLM, run agents in an audition, or index a list of models, such as api.json of
                models.dev.
              </p>
            </Empty>
          ) : (
            <Compared models={models} known={known} tasks={tasks} />
          )
        }
      </Ready>
    </>
  )
}

/** The models in a drawing and in a table. */
const Compared = ({ models, known, tasks }: Pick<Api['models']['output'], 'models' | 'known' | 'tasks'>) => (
  <>
    <section>
      <h2>Success and price</h2>
      <Curve models={models} />
      <p class="note">
        The cheapest stands first. The line goes through the models that do better than every cheaper one; the
        pale ones are beaten by one that costs no more. {countOf(known, 'model is', 'models are')} known, with
        outcomes of {countOf(tasks, 'task')}.
      </p>
    </section>
    <p class="note">By what is expected of each, less its price:</p>
    <Table caption="Models, best first" rows={models} columns={columns} />
  </>
)

const row = 30

/** A line for each model of known price, the cheapest first: what is expected of it with its interval. Better for more money rises to the right. */
function Curve({ models }: { models: readonly Model[] }) {
  const priced = models
    .flatMap((model) => (model.price === undefined ? [] : [{ model, price: blendedPrice(model.price) }]))
    .sort((a, b) => a.price - b.price)
  if (priced.length === 0) return <p class="note">Of none of them a price is known.</p>
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((value) => [value, percent(value)] as const)
  const isBest = priced.map(({ model }, at) =>
    priced.slice(0, at).every(({ model: cheaper }) => cheaper.estimate < model.estimate),
  )
  const best = priced.flatMap((one, at) => (isBest[at] ? [{ ...one, at }] : []))
  return (
    <Plot
      id="curve"
      label="Expected success of each model, the cheapest first; the table below has the numbers"
      height={priced.length * row}
      range={{ min: 0, max: 1 }}
      ticks={ticks}
    >
      {(scale) => [
        ...best
          .slice(1)
          .map(({ model, at }, place) => (
            <line
              class="frontier"
              x1={scale(best[place]!.model.estimate)}
              x2={scale(model.estimate)}
              y1={best[place]!.at * row + row / 2}
              y2={at * row + row / 2}
            />
          )),
        ...priced.map(({ model: { name, estimate, low, high }, price }, at) => {
          const y = at * row + row / 2
          return (
            <g class={isBest[at] ? undefined : 'beaten'}>
              <title>{`${name}: ${percent(estimate)}, $${price.toFixed(2)}`}</title>
              <svg aria-hidden="true" width="28%" y={at * row} height={row}>
                <text y={row / 2 + 5}>
                  ${price.toFixed(2)} {name}
                </text>
              </svg>
              <line class="interval" x1={scale(low)} x2={scale(high)} y1={y} y2={y} />
              <circle cx={scale(estimate)} cy={y} r="5" />
            </g>
          )
        }),
      ]}
    </Plot>
  )
}

const columns = [
  {
    title: 'Model',
    key: ({ name }: Model) => name,
    shows: ({ name, id, callable }: Model) => (
      <>
        <strong>{name}</strong> {callable && <Chip tone="accent">yours</Chip>}
        <small>{id}</small>
      </>
    ),
  },
  {
    title: 'Expected',
    number: true,
    key: ({ estimate }: Model) => estimate,
    shows: ({ estimate, low, high }: Model) => (
      <>
        <strong>{percent(estimate)}</strong>{' '}
        <span class="note">
          [{percent(low)}, {percent(high)}]
        </span>
      </>
    ),
  },
  { title: 'Tried on', number: true, key: ({ outcomes }: Model) => outcomes },
  {
    title: '$ read',
    number: true,
    key: ({ price }: Model) => price?.input ?? -1,
    shows: ({ price }: Model) => price?.input.toFixed(2) ?? '–',
  },
  {
    title: '$ written',
    number: true,
    key: ({ price }: Model) => price?.output ?? -1,
    shows: ({ price }: Model) => price?.output.toFixed(2) ?? '–',
  },
]
