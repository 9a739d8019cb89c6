import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Card } from '../../domain/card.ts'
import { successGrade } from '../../domain/outcome.ts'
import { noSource } from '../../catalog/no-source.ts'
import { everyCard } from '../../evaluation/equivalence.ts'
import type { Budget } from '../../probing/budget.ts'
import type { Probing } from '../../probing/run/probing.ts'
import { readSettings } from '../../probing/settings/settings-file.ts'
import { given } from '../../probing/settings/settings.ts'
import { tasksOfCard } from '../../probing/writing/tasks-of-card.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../retrieval/ports.ts'
import { search } from '../../retrieval/search/search.ts'
import { NoMoreAnswers } from '../../tasks/desk.ts'
import { everydayValue } from '../../tasks/everyday-values.ts'
import { type MadeTasks, makeTasks } from '../../tasks/make-tasks.ts'
import type { TaskGround, TaskWriter, TextVectors } from '../../tasks/ports.ts'
import type { TaskOrder } from '../../tasks/shop.ts'
import { templates } from '../../tasks/templates.ts'
import {
  type MakeTasksRequest,
  NotAgreedToAskError,
  NothingToMakeError,
  estimateOf,
} from '../../tasks/request.ts'
import { wordVectors } from '../../tasks/texts.ts'
import { catalogFolder, filesFolder } from '../folders.ts'
import { answerKeysIn } from '../parts/known-answers.ts'
import { keptLines } from '../../store/kept-lines.ts'
import { taskWriterOf } from '../open-models.ts'
import type { OpenStore } from '../open-store.ts'

/** The part of the composition root that knows of what tasks are made. */
export function openTasks(
  config: Config,
  { onWhole, modelFor }: OpenStore,
  openProbing: () => Promise<Probing>,
): (request: MakeTasksRequest) => Promise<MadeTasks> {
  return async (request) => {
    const signal = request.signal ?? new AbortController().signal
    const writer = await writerFor(request, config)
    const budget = { ...(await readSettings(config.settings)).budget, ...given(request.budget ?? {}) }
    const probing = request.execute === undefined ? undefined : await openProbing()
    return onWhole(async (snapshot) => {
      const { contest } = request
      const cards = new Map(
        (await everyCard(snapshot)).flatMap((card) =>
          contest === undefined || contest.candidates.includes(card.id) ? [[card.id, card]] : [],
        ),
      )
      const order: TaskOrder = {
        kind: request.kind ?? 'single',
        count: request.count ?? 20,
        targets: targetsOf([...cards.values()], request),
        ...(contest === undefined ? {} : { job: contest.job }),
        names: request.names ?? false,
        seed: request.seed ?? 1,
        budget,
        signal,
        now: () => performance.now(),
        onProgress: request.onProgress ?? (() => {}),
      }
      const estimate = estimateOf(order, writer, probing !== undefined)
      if (estimate !== null && (await request.agree?.(estimate)) !== true)
        throw new NotAgreedToAskError(estimate, contest !== undefined)
      const model = await modelFor(snapshot)
      return makeTasks(estimate === null ? order : { ...order, agreed: estimate }, {
        cards,
        writer,
        ...vectorsBy(model),
        search: contest === undefined ? searchIn(snapshot, model, signal) : async () => contest.candidates,
        kept: keptLines<unknown>(join(filesFolder(config), 'task-answers.jsonl'), ['key', 'value']),
        ...(probing === undefined ? {} : { execute: executeBy(probing, request, { budget, signal }) }),
      })
    })
  }
}

async function writerFor({ writer = 'model' }: MakeTasksRequest, config: Config): Promise<TaskWriter> {
  const model = writer === 'templates' ? null : await taskWriterOf(config)
  if (model !== null) return model
  const answers = await answerKeysIn(catalogFolder)
  return templates(async (card, count) =>
    tasksOfCard(card, count, { answers, effects: 'any', madeUp: everydayValue }),
  )
}

/** @throws RemedyError when nothing of that name is in the index */
function targetsOf(cards: readonly Card[], { of, cardKind }: MakeTasksRequest): readonly Card[] {
  const isNamed = ({ source, ...card }: Card): boolean =>
    of === undefined || source === of || (card.kind === 'tool' && card.server === of)
  const named = cards.filter(isNamed)
  if (named.length === 0 && of !== undefined)
    throw noSource(
      of,
      [...new Set(cards.map(({ source }) => source))].map((id) => ({ id })),
    )
  const targets = named.filter(({ kind }) => cardKind === undefined || kind === cardKind)
  if (targets.length === 0) throw new NothingToMakeError(of, cardKind)
  return targets
}

/** The search that ships, without what the user's record says: how hard a task is must not hang on that. */
const searchIn =
  (snapshot: CatalogSnapshot, model: EmbeddingModel | null, signal: AbortSignal): TaskGround['search'] =>
  async (kind, query, k) => {
    const { candidates } = await search({ snapshot, model }, { kind, query, k, pack: 'ranking' }, signal)
    return candidates.map(({ card }) => card.id)
  }

/** Vectors by the model where there is one, else by words; readings by its reader where it has one. */
function vectorsBy(model: EmbeddingModel | null): Pick<TaskGround, 'vectors' | 'readings'> {
  if (model === null) {
    const vectors: TextVectors = { by: 'words', of: async (texts) => wordVectors(texts) }
    return { vectors, readings: vectors }
  }
  const vectors: TextVectors = { by: model.id, of: (texts) => model.embed(texts, 'query') }
  const [first, second] = model.parts ?? []
  if (first === undefined || second === undefined) return { vectors, readings: vectors }
  return {
    vectors,
    readings: {
      by: 'the built-in reader',
      // Of two parts each has the length of a unit vector divided by the square root of 2.
      of: async (texts) =>
        (await vectors.of(texts)).map((vector) => vector.slice(first).map((value) => value * Math.SQRT2)),
    },
  }
}

/** Runs by the machinery of probes: its permits, limits, judges and record, all within one budget. */
function executeBy(
  probing: Probing,
  { execute }: MakeTasksRequest,
  { budget, signal }: { readonly budget: Budget; readonly signal: AbortSignal },
): NonNullable<TaskGround['execute']> {
  const [used, started] = [{ tokens: 0, cost: 0 }, performance.now()]
  return async (card, task) => {
    const left = {
      tokens: leftOf(budget.tokens, used.tokens),
      cost: leftOf(budget.cost, used.cost),
      seconds: leftOf(budget.seconds, (performance.now() - started) / 1000),
    }
    if (Object.values(left).includes(0))
      throw new NoMoreAnswers('the budget is spent by runs: --budget or settings.yaml gives more')
    const { candidates, spent } = await probing.probe({
      cards: [card],
      tasks: { kind: 'given', tasks: [task] },
      budget: left,
      signal,
      ...(execute?.allow === undefined ? {} : { allow: execute.allow }),
    })
    signal.throwIfAborted()
    used.tokens += spent.tokens
    used.cost += spent.cost
    const verdict = candidates[0]?.runs[0]?.outcome.verdict
    return verdict && 'grade' in verdict ? verdict.grade >= successGrade : null
  }
}

const leftOf = (of: number | null, used: number): number | null =>
  of === null ? null : Math.max(0, of - used)
