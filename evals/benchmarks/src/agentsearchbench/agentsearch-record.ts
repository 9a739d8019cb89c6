import { keyOf } from '../../../../src/catalog/identity.ts'
import {
  chosenSettings,
  counted,
  type Dataset,
  DatasetError,
  type DatasetRecipe,
  type DatasetSetting,
  type JudgedRun,
  wantedNames,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { recordRankers } from '../../../../src/evaluation/record/record-rankings.ts'
import type { AgentTask, ByAgent } from './agentsearch-tasks.ts'
import { readTables } from './agentsearchbench.ts'
import { fingerprintOf } from '../../../../src/evaluation/datasets/files.ts'

const name = 'agentsearch-record'

const settings: readonly DatasetSetting[] = [
  {
    name: 'order',
    describes:
      'What puts the agents in order: the record, or a baseline to compare it with (random, by platform, by the agent)',
    values: recordRankers.map(({ key }) => key),
  },
]

/**
 * AgentSearchBench's judged runs as a track record: each task's agents are put in order by the verdicts on all other tasks, with
 * no text at all. The platform is the source of an agent.
 *
 * @see AgentSearchBench: A Benchmark for AI Agent Search in the Wild, 2026
 */
export const agentSearchRecord: DatasetRecipe = {
  name,
  describes: 'AgentSearchBench, its judged runs: ranking by track record alone, one task left out at a time',
  /** Its folder is that of `agentsearchbench`: this one is asked for by name. */
  recognises: () => false,
  settings,
  async read(path, only, given) {
    const values = chosenSettings(name, settings, given)
    wantedNames(name, ['single'], only)
    const { tasks, files } = await readTables(path)
    const judged = tasks.filter((task) => task.kind === 'single' && runsOf(task).length > 0)
    if (judged.length === 0) {
      throw new DatasetError(
        `${path}: no judged runs of single tasks were found.`,
        'Give a folder with tasks and their judged scores, for example tasks.jsonl and judgements.jsonl.',
      )
    }
    const judgedRuns = judged.flatMap(runsOf)
    const unsolved = judged.filter((task) => runsOf(task).every(({ grade }) => grade < 4)).length
    return {
      name,
      origin: `AgentSearchBench, ${judged.length} tasks, ${judgedRuns.length} judged runs of ${new Set(judgedRuns.map(({ card }) => card)).size} agents (sha256 ${fingerprintOf(files)})`,
      parts: [
        {
          name: 'single',
          kind: 'agent',
          cards: [],
          queries: judged.map(({ id, text }) => ({ id, text, grades: new Map() })),
        },
      ],
      headline: ['ndcg@5', 'ndcg@20'],
      notes: [
        'Agents with equal estimates share the mean gain of their places: how ties fall decides nothing.',
        ...counted(
          unsolved,
          'task that no agent solved is in the record and not measured.',
          'tasks that no agent solved are in the record and not measured.',
        ),
      ],
      judgedRuns,
      recordOrder: values.get('order')!,
    } satisfies Dataset
  },
}

function runsOf({ id, scores: [scores] = [] }: AgentTask): readonly JudgedRun[] {
  return [...(scores ?? (new Map() as ByAgent))].flatMap(([agent, score]) => {
    const grade = ([1, 2, 3, 4, 5] as const).find((each) => each === Math.round(score))
    return grade === undefined ? [] : [{ query: id, grade, ...versionOf(agent) }]
  })
}

/** An id of AgentBase tells platform, agent and version: `agt:openaiagents:2518c1@v1.1`. The version may change, the record stays. */
function versionOf(agent: string): Pick<JudgedRun, 'card' | 'cardHash'> {
  const [, platform = 'agents', key = agent, version = ''] =
    /^agt:([^:]+):([^@]+)(?:@(.*))?$/.exec(agent) ?? []
  return { card: `${keyOf(platform)}/${keyOf(key)}`, cardHash: version }
}
