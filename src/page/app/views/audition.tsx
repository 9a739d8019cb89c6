import { call, Failure } from '../api.ts'
import { Candidates } from '../candidates.tsx'
import { useAction } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Live } from '../live.tsx'
import { Head, Problem, Starting } from '../parts.tsx'
import { go, to, useField } from '../place.ts'
import type { ViewProps } from '../session.ts'
import { Permission } from './allowing.tsx'
import { Arguments } from './arguments.tsx'

/** What is asked of the candidates, as it is typed. */
function useAsked(query: URLSearchParams) {
  const [task, say] = useField(query.get('task') ?? '')
  const [expect, await_] = useField(query.get('expect') ?? '')
  const [count, times] = useField(query.get('count') ?? '1')
  const [given, give] = useField(query.get('arguments') ?? '')
  return { task, say, expect, await_, count, times, given, give }
}

type Asked = ReturnType<typeof useAsked>

/** What the server is asked, of what was typed. @throws Failure when the arguments are no JSON object, or belong to no task */
function probeOf({ task, expect, count, given }: Asked) {
  const args = given.trim() === '' ? {} : { arguments: argumentsIn(given) }
  if (task.trim() === '' && given.trim() !== '')
    throw new Failure(-1, {
      message: 'The arguments belong to no task.',
      remedy: 'Say what the call is for.',
    })
  const asked =
    task.trim() === ''
      ? {}
      : { task: task.trim(), ...(expect.trim() === '' ? {} : { expect: expect.trim() }) }
  return { count: Number(count), ...asked, ...args }
}

function argumentsIn(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined // said below
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new Failure(400, {
    message: 'The arguments are no JSON object.',
    remedy: 'Write them in braces, each name and each text in double quotes: {"city": "Oslo", "days": 3}',
  })
}

/** Runs one candidate, or several on one task, and shows it live. */
export function Auditioning({ place: { query }, session: { role, languageModel } }: ViewProps) {
  const cards = query.getAll('cards')
  const job = query.get('job')
  const asked = useAsked(query)
  const { failure, isBusy, run } = useAction()
  const here = (next: { cards?: readonly string[]; job?: string }) => {
    const { task, expect, count, given } = asked
    return to('audition', {
      cards,
      task,
      expect,
      count: count === '1' ? '' : count,
      arguments: given,
      ...next,
    })
  }
  const start = (event: Event): void => {
    event.preventDefault()
    run(async () => {
      const { id } = await call('probe', { cards, ...probeOf(asked) })
      go(here({ job: id }))
    })
  }
  return (
    <>
      <Head
        title="Audition"
        lead="Run an agent or a tool on a task, or up to ten on the same one, and watch what they do."
      />
      <Running kind="probe" shown={job} />
      <form class="panel" onSubmit={start}>
        <Candidates cards={cards} choose={(chosen) => go(here({ cards: chosen }))} />
        <Fields cards={cards} {...asked} />
        {role === 'owner'
          ? cards.length > 0 && <Permission cards={cards} />
          : cards.length > 0 && (
              <p class="note">What may start is decided by the person at the machine that serves this.</p>
            )}
        <Problem failure={failure} />
        {languageModel === null && asked.expect.trim() === '' && (
          <p class="note">
            Without a right answer and without a model (AUDITION_LLM) nobody grades what they say.
          </p>
        )}
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy || cards.length === 0}>
            {cards.length > 1 ? `Audition ${cards.length} candidates` : 'Audition it'}
          </button>
        </div>
      </form>
      <Starting isBusy={isBusy} />
      {job && !isBusy && <Live key={job} id={job} />}
      {role === 'owner' && <Composed cards={cards} isRun={job !== null} />}
    </>
  )
}

type FieldsProps = Asked & { cards: readonly string[] }

/** Where the task is typed, what a right answer says, how often to run, and what a tool is given. */
const Fields = ({ cards, task, say, expect, await_, count, times, given, give }: FieldsProps) => (
  <>
    <label class="field">
      Task; empty: what their cards bring
      <textarea value={task} onInput={({ currentTarget }) => say(currentTarget.value)} />
    </label>
    <div class="line">
      <label class="grow">
        A right answer says (optional)
        <input value={expect} onInput={({ currentTarget }) => await_(currentTarget.value)} />
      </label>
      <label class="field times">
        Times
        <select value={count} onInput={({ currentTarget }) => times(currentTarget.value)}>
          {['1', '2', '3', '5', '10'].map((one) => (
            <option value={one}>{one}</option>
          ))}
        </select>
      </label>
    </div>
    <Arguments cards={cards} given={given} give={give} />
  </>
)

/** Agents that were composed here lie in a folder of their own: each can be taken away again. */
function Composed({ cards, isRun }: { cards: readonly string[]; isRun: boolean }) {
  const { failure, isBusy, run } = useAction()
  const composed = cards.filter((id) => id.startsWith('composed/'))
  if (composed.length === 0 || !isRun) return null
  return (
    <section class="panel">
      <h2>It is kept</h2>
      <p>
        A composed agent lies in your folder of composed agents, and searches find it until you discard it.
      </p>
      <Problem failure={failure} />
      <div class="actions">
        {composed.map((card) => (
          <>
            <a class="button primary" href={to('card', { id: card })}>
              See it<span class="unseen"> {card}</span>
            </a>
            <button
              type="button"
              class="button"
              disabled={isBusy}
              onClick={() =>
                run(async () => {
                  await call('discard', { card })
                  go(to('compose', { q: new URLSearchParams(location.hash.split('?')[1]).get('task') ?? '' }))
                })
              }
            >
              Discard it
            </button>
          </>
        ))}
      </div>
    </section>
  )
}
