import { join } from 'node:path'
import type { JsonObject } from '../../../../src/domain/json.ts'
import {
  assembled,
  chosenSettings,
  DatasetError,
  type DatasetPart,
  type DatasetRecipe,
  type DatasetSetting,
  type JudgedQuery,
  wantedNames,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { isAgentRecord } from '../../../../src/catalog/readers/agentbase-jsonl.ts'
import { agentBaseCards, agentBaseId, agentsByIdAlone, type AgentText } from './agentbase-cards.ts'
import { type Discount, relevantAgents, reranking, subtaskNeeds, wholeGrades } from './agentsearch-grades.ts'
import {
  type AgentTask,
  isJudgement,
  isKeyedRecord,
  isListedTask,
  isPackagedTask,
  packagedTask,
  type TaskKind,
  tasksOfKeyedFiles,
  tasksWithJudgements,
} from './agentsearch-tasks.ts'
import { judgementNotes } from './agentsearch-notes.ts'
import { compared, probedNotes, readProbed } from './agentsearch-probes.ts'
import { fingerprintOf, firstRecordOf, recordsOf } from '../../../../src/evaluation/datasets/files.ts'
import { manifestOf } from '../manifest.ts'
import { tableFiles } from '../table-files.ts'

const settings: readonly DatasetSetting[] = [
  {
    name: 'protocol',
    describes: 'Find agents among all, or put the judged ones of each task in order',
    values: ['retrieval', 'rerank'],
  },
  {
    name: 'discount',
    describes:
      'Reranking grades: as published, or from the judged scores with an undocumented success losing half a subtask ' +
      '(subtract), half its grade (halve) or nothing (none)',
    values: ['published', 'subtract', 'halve', 'none'],
  },
  {
    name: 'text',
    describes: 'What of an agent is searched: its whole document, or name and description',
    values: ['document', 'description'],
  },
  {
    name: 'probes',
    describes:
      'Rerankers also with what is known of the agents from running them: as text, the newest questions and answers of the probes ' +
      '(400 tokens), and as a number, the judged runs on other tasks as a track record',
    values: ['none', 'text'],
  },
]

const kinds: readonly TaskKind[] = ['single', 'multi', 'description', 'real']

/**
 * AgentSearchBench: tasks with agents that were run on them and judged. Tasks and agents are read from the packaged
 * tables, from the files its own code writes, or from lists of tasks and judged responses.
 *
 * @see AgentSearchBench: A Benchmark for AI Agent Search in the Wild, 2026
 */
export const agentSearchBench: DatasetRecipe = {
  name: 'agentsearchbench',
  describes: 'AgentSearchBench: tasks, judged agents and labels; retrieval or reranking',
  settings,
  recognises: (path) => tableFiles(path).some((file) => isTaskFile(path, file)),
  async read(path, only, given) {
    const values = chosenSettings('agentsearchbench', settings, given)
    const { tasks, agents, files } = await readTables(path)
    if (tasks.length === 0) {
      throw new DatasetError(
        `${path}: no tasks of AgentSearchBench were found.`,
        'Give the folder of its tables.',
      )
    }
    const present = kinds.filter((kind) => tasks.some((task) => task.kind === kind))
    const wanted = wantedNames('agentsearchbench', present, only)
    const cards =
      agents.length > 0
        ? agentBaseCards(agents, values.get('text') as AgentText)
        : agentsByIdAlone(new Set(tasks.flatMap(judgedAgents)))
    const isReranking = values.get('protocol') === 'rerank'
    const solversOf = singleSolvers(tasks)
    const judged = tasks
      .filter(({ kind }) => wanted.includes(kind))
      .map((task) => ({
        task,
        query: queryOf(task, isReranking ? (values.get('discount') as Discount) : undefined, solversOf),
      }))
    const parts = wanted.map(
      (name): DatasetPart => ({
        name,
        kind: 'agent',
        cards,
        queries: judged.flatMap(({ task, query }) =>
          task.kind === name && query !== undefined ? [query] : [],
        ),
      }),
    )
    const { measures, notes = [], reranking: published } = manifestOf('agentsearchbench')
    const probed =
      isReranking && values.get('probes') === 'text' ? await readProbed(path, tasks, cards) : undefined
    return assembled(
      {
        name: isReranking ? 'agentsearchbench rerank' : 'agentsearchbench',
        origin: `AgentSearchBench, ${tasks.length} tasks, ${cards.length} agents, ${[...values].map(([name, value]) => `${name} ${value}`).join(', ')} (sha256 ${fingerprintOf(files)})`,
        parts: parts.filter(({ queries }) => queries.length > 0),
        platformOf: (id) => /agt:([^:]+):/.exec(id)?.[1] ?? '',
        ...(values.get('discount') === 'published' && published !== undefined ? { published } : {}),
        ...(probed === undefined ? {} : { probed }),
        headline: isReranking ? ['ndcg@5', 'ndcg@20', 'ndcg@1', 'completeness@5'] : measures,
        notes: [
          ...notes,
          ...(probed === undefined ? [] : probedNotes(probed)),
          ...judgementNotes(judged, new Set(cards.map(({ id }) => id)), agents.length > 0, values),
        ],
      },
      path,
    )
  },
}

/** Every table below a folder, sorted by what its records are. Samples, and responses (large and unused), are passed over. */
export async function readTables(path: string) {
  const read: { readonly file: string; readonly records: readonly JsonObject[] }[] = []
  for (const file of tableFiles(path).filter((name) => !/response|probe|sample/i.test(name))) {
    const records = await recordsOf(join(path, file)).catch((error: unknown) => {
      if (isTaskFile(path, file)) throw error
      return [] as readonly JsonObject[] // some other JSON that lies there
    })
    read.push({ file, records })
  }
  const all = (is: (record: JsonObject) => boolean) => read.flatMap(({ records }) => records.filter(is))
  const keyed = read
    .filter(({ records }) => records.length > 0 && records.every(isKeyedRecord))
    .map(({ file, records }) => ({ path: file, entries: Object.assign({}, ...records) as JsonObject }))
  const packaged = read.flatMap(({ file, records }) =>
    records
      .filter((record) => isPackagedTask(record) && !isListedTask(record))
      .map((record) => packagedTask(file, record)),
  )
  return {
    tasks: [
      ...packaged,
      ...tasksOfKeyedFiles(keyed),
      ...tasksWithJudgements(all(isListedTask), all(isJudgement)),
    ],
    agents: all(isAgentRecord),
    files: read.filter(({ records }) => records.some(isOurs)).map(({ file }) => join(path, file)),
  }
}

const isOurs = (record: JsonObject): boolean =>
  [isKeyedRecord, isPackagedTask, isListedTask, isJudgement, isAgentRecord].some((is) => is(record))

function isTaskFile(path: string, file: string): boolean {
  if (/(?:single|multi)[-_]?agent|task_query|task_description/i.test(file)) return true
  if (!/\.jsonl(?:\.gz)?$/i.test(file)) return false
  const first = firstRecordOf(join(path, file))
  return first !== undefined && (isListedTask(first) || (isPackagedTask(first) && 'ranking_labels' in first))
}

/** Agents that solved the single task of a text; multi-agent tasks are merged from single ones and inherit their runs. */
function singleSolvers(tasks: readonly AgentTask[]): (text: string) => readonly string[] | undefined {
  const byText = new Map(
    tasks
      .filter(({ kind }) => kind === 'single')
      .map((task) => [compared(task.text), [...relevantAgents(task)]]),
  )
  return (text) => byText.get(compared(text))
}

/** @returns undefined when no agent solved the task, or its grades are not published: it cannot be measured */
function queryOf(
  task: AgentTask,
  discount: Discount | undefined,
  solversOf: (text: string) => readonly string[] | undefined,
): JudgedQuery | undefined {
  const relevant = relevantAgents(task)
  const order = discount === undefined ? undefined : reranking(task, discount)
  const values = discount === undefined ? new Map([...relevant].map((agent) => [agent, 1])) : order?.grades
  if (values === undefined || ![...values.values()].some((grade) => grade > 0)) return undefined
  return {
    id: task.id,
    text: task.text,
    grades: new Map([...wholeGrades(values)].map(([agent, grade]) => [agentBaseId(agent), grade])),
    needs: subtaskNeeds(task, solversOf).map((agents) => agents.map(agentBaseId)),
    ...(order === undefined ? {} : { pool: order.pool.map(agentBaseId).sort() }),
    group: task.subtasks.length > 1 ? `${task.subtasks.length} subtasks` : 'one task',
  }
}

const judgedAgents = (task: AgentTask): readonly string[] => [
  ...(task.scores ?? []).flatMap((scores) => [...scores.keys()]),
  ...(task.ranking?.keys() ?? []),
  ...relevantAgents(task),
]
