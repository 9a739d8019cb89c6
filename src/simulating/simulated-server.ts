import type { ToolCard } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import { errorText } from '../domain/remedy-error.ts'
import { faultsOfSession, spoiled } from './faults.ts'
import { faultBy, madeUpAnswer } from './made-up.ts'
import {
  type AnswerStore,
  type Faults,
  type KeptAnswer,
  type SimulatedAnswer,
  type SimulatedServer,
  type SimulatedSession,
  type ToolAnswer,
  type ToolImitator,
  UnknownToolError,
} from './ports.ts'
import { mayChange, type SessionState, startState, stateAfter } from './things.ts'

/** What answers, and how. */
export type SimulationParts = {
  readonly source: string
  readonly tools: readonly ToolCard[]
  readonly store: AnswerStore
  /** Plays tools where nothing is kept; null where answers are made of schemas. */
  readonly imitator: ToolImitator | null
  /**
   * `replay`: what is kept is all there is. `record`: {@link real} answers, and that is kept. @defaultValue 'simulate'
   */
  readonly mode?: 'simulate' | 'replay' | 'record'
  /** Calls the real tool. @throws Error when it is not called, or gives no answer */
  readonly real?: (card: ToolCard, args: JsonObject, signal: AbortSignal | undefined) => Promise<ToolAnswer>
  /** @defaultValue none */
  readonly faults?: Faults
  /** Of the faults. @defaultValue 1 */
  readonly seed?: number
  /** What is wrong with arguments, by a JSON Schema. */
  readonly faultsOf: (schema: JsonObject | undefined, value: JsonObject, whole: string) => readonly string[]
}

/** Tries of a model at one answer. */
const mostTries = 2
/** Answers of the real tool that a model is shown. */
const mostExamples = 3

/** A server that stands for another one. */
export function simulatedServerOf(parts: SimulationParts): SimulatedServer {
  const { source, tools } = parts
  return { source, tools, records: parts.mode === 'record', session: () => sessionOf(parts) }
}

function sessionOf(parts: SimulationParts): SimulatedSession {
  const byName = new Map(parts.tools.map((card) => [card.name, card]))
  const faults = faultsOfSession(parts.faults ?? {}, parts.seed ?? 1)
  let state = startState
  /** Settles with the last call that may have changed the state. */
  let lastChange: Promise<unknown> = Promise.resolve()

  const answered = async (asked: Asked): Promise<SimulatedAnswer> => {
    asked.signal?.throwIfAborted()
    const kept = await answerIn(state, asked, parts)
    if (!('arguments' in kept)) return kept
    state = stateAfter(state, kept, asked.card)
    return { ...kept.answer, from: kept.from, ...(kept.model === undefined ? {} : { model: kept.model }) }
  }
  return {
    async call(tool, args, { signal, onProgress } = {}) {
      const card = byName.get(tool)
      if (card === undefined) throw new UnknownToolError(tool)
      onProgress?.({ progress: 0, total: 1 })
      await faults.delay(signal)
      const wrong = parts.faultsOf(card.inputSchema, args, 'arguments')
      if (wrong.length > 0) return nobody(`The arguments do not fit ${tool}: ${wrong.join('; ')}.`)
      const fault = faults.draw(tool, args)
      if (fault === 'errors')
        return { ...failure(`${tool} failed: what stands behind it did not answer.`), from: 'fault' }
      const work = lastChange.then(() => answered({ card, args, signal }))
      if (mayChange(card)) lastChange = work.catch(() => undefined)
      const answer = await work
      onProgress?.({ progress: 1, total: 1 })
      return fault === null || answer.failed ? answer : { ...spoiled(answer, fault), from: 'fault' }
    },
  }
}

type Asked = {
  readonly card: ToolCard
  readonly args: JsonObject
  readonly signal: AbortSignal | undefined
}

/** What is kept of the call, or will be; else why nobody answers it. */
async function answerIn(
  state: SessionState,
  asked: Asked,
  parts: SimulationParts,
): Promise<KeptAnswer | SimulatedAnswer> {
  const { store, imitator, mode } = parts
  const { card, args } = asked
  const call = { tool: card.name, arguments: args, state: state.key }
  if (mode === 'record') return recorded(call, asked, parts)
  const known = store.find(call)
  const canAsk = imitator !== null && mode !== 'replay'
  if (known !== undefined && !(canAsk && known.from === 'made-up')) return known
  if (canAsk) return imitated(call, { state, asked, imitator }, parts)
  // A recording of another state may be outdated by what the session changed.
  const elsewhere = state.key === startState.key ? store.findReal(call) : undefined
  if (mode === 'replay')
    return elsewhere ?? nobody(`There is no recording of ${card.name} with these arguments at this point.`)
  const made = madeUpAnswer(card, args, state)
  // What the session itself created is told; else the real tool knows better.
  if (elsewhere !== undefined && !made.isOfState) return elsewhere
  if (made.answer === null)
    return nobody(`Nothing that fits its output schema can be made up for ${card.name}.`)
  return store.keep({ ...call, answer: made.answer, from: 'made-up' })
}

type Call = Pick<KeptAnswer, 'tool' | 'arguments' | 'state'>

async function recorded(
  call: Call,
  { card, args, signal }: Asked,
  { store, real }: SimulationParts,
): Promise<KeptAnswer | SimulatedAnswer> {
  let answer: ToolAnswer
  try {
    answer = await real!(card, args, signal)
  } catch (error) {
    signal?.throwIfAborted()
    return nobody(`${card.name} gave nothing to record: ${errorText(error)}`)
  }
  return store.keep({ ...call, answer, from: 'real' })
}

async function imitated(
  call: Call,
  { state, asked, imitator }: { state: SessionState; asked: Asked; imitator: ToolImitator },
  { source, store }: SimulationParts,
): Promise<KeptAnswer | SimulatedAnswer> {
  const { card, args, signal } = asked
  const examples = store.examples(card.name, mostExamples)
  const question = { server: source, tool: card, arguments: args, history: state.history, examples }
  let fault: string | null = null
  try {
    for (let count = 0; count < mostTries; count += 1) {
      const answer = await imitator.imitate({ ...question, ...(fault === null ? {} : { fault }) }, signal)
      fault = answer === null ? 'it was no answer that can be read' : misfit(card, answer)
      // Two callers may have asked the same at once: the first answer is the one that stays.
      const first = store.find(call)
      if (first !== undefined && first.from !== 'made-up') return first
      if (fault === null && answer !== null)
        return await store.keep({ ...call, answer, from: 'model', model: imitator.model })
    }
  } catch (error) {
    signal?.throwIfAborted()
    return nobody(`The simulation of ${card.name} gave no answer: ${errorText(error)}`)
  }
  return nobody(`The simulation of ${card.name} gave no answer that fits: ${fault}.`)
}

/** What is wrong with an answer, by the output schema; null when nothing is. */
function misfit({ outputSchema }: ToolCard, { failed, structured }: ToolAnswer): string | null {
  if (failed || outputSchema === undefined) return null
  if (structured === undefined) return 'it has no structured result, and the output schema promises one'
  return faultBy(outputSchema, structured)
}

const failure = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }], failed: true })
const nobody = (text: string): SimulatedAnswer => ({ ...failure(text), from: 'nobody' })
