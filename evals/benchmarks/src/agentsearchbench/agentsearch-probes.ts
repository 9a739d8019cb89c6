import { join } from 'node:path'
import { contentHash } from '../../../../src/catalog/identity.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { grouped } from '../../../../src/domain/grouped.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/domain/json.ts'
import { normalised } from '../../../../src/domain/text/normalised.ts'
import {
  counted,
  type JudgedRun,
  type ProbedCandidates,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { recordsOf } from '../../../../src/evaluation/datasets/files.ts'
import { tableFiles } from '../table-files.ts'
import { agentBaseId } from './agentbase-cards.ts'
import { type AgentTask, isKeyedRecord } from './agentsearch-tasks.ts'

/** One probe of one agent; each file tells a part of it. */
type Probe = { readonly id: string; readonly agent: string }
type Answer = Probe & { readonly answer: string }
type Judged = Probe & { readonly score: number }

/**
 * What is known of the agents from running them: probes with their answers, out of the files that are called so (`[probe, [agents]]`,
 * `{agent: [answer, seconds]}` and `{agent: [score, reason]}` by the probe's id), and the judged runs of single tasks.
 */
export async function readProbed(
  path: string,
  tasks: readonly AgentTask[],
  cards: readonly Card[],
): Promise<ProbedCandidates> {
  const entries: (readonly [string, JsonValue])[] = []
  for (const file of tableFiles(path).filter((name) => /probe/i.test(name))) {
    const records = (await recordsOf(join(path, file))).filter(isKeyedRecord)
    entries.push(...records.flatMap((record: JsonObject) => Object.entries(record) as [string, JsonValue][]))
  }
  const texts = new Map(
    entries.flatMap(([id, value]) =>
      Array.isArray(value) && typeof value[0] === 'string' ? [[id, value[0]]] : [],
    ),
  )
  const perAgent = entries.flatMap(([id, value]) =>
    isJsonObject(value) ? Object.entries(value).map(([agent, said]) => ({ id, agent, said })) : [],
  )
  const answers = perAgent.flatMap(({ said, ...probe }): readonly Answer[] => {
    const answer = answerIn(said)
    return answer === undefined || !texts.has(probe.id) ? [] : [{ ...probe, answer }]
  })
  const judged = perAgent.flatMap(({ said, ...probe }): readonly Judged[] =>
    Array.isArray(said) && typeof said[0] === 'number' ? [{ ...probe, score: said[0] }] : [],
  )
  const single = tasks.filter(({ kind }) => kind === 'single')
  const hashes = new Map(cards.map((card) => [card.id, contentHash(card)]))
  const runOf = (query: string, text: string, [agent, score]: readonly [string, number]) => {
    const grade = ([1, 2, 3, 4, 5] as const).find((each) => each === Math.round(score))
    const card = agentBaseId(agent)
    const cardHash = hashes.get(card)
    return grade === undefined || cardHash === undefined ? [] : [{ query, text, card, cardHash, grade }]
  }
  return {
    // Files tell the oldest first.
    pairs: new Map(
      [...grouped(answers.toReversed(), ({ agent }) => agentBaseId(agent))].map(([card, own]) => [
        card,
        own.map(({ id, answer }) => ({ question: texts.get(id)!, answer })),
      ]),
    ),
    runs: [
      ...single.flatMap(({ id, text, scores: [scores] = [] }) =>
        [...(scores ?? [])].flatMap((run) => runOf(`task ${id}`, text, run)),
      ),
      ...judged.flatMap(({ id, agent, score }) => runOf(`probe ${id}`, texts.get(id) ?? '', [agent, score])),
    ] satisfies readonly (JudgedRun & { readonly text: string })[],
    hiddenFrom: hiding(tasks, single),
  }
}

/** A task of several inherits the runs of its subtasks: none of them may be known when it is asked. */
function hiding(tasks: readonly AgentTask[], single: readonly AgentTask[]): ProbedCandidates['hiddenFrom'] {
  const idsOf = grouped(single, ({ text }) => compared(text))
  const parts = grouped(tasks, ({ text }) => compared(text))
  return ({ text }) => {
    const held = (parts.get(compared(text)) ?? []).flatMap((task) => task.subtasks)
    return new Set(
      [text, ...held].flatMap((one) => idsOf.get(compared(one)) ?? []).map(({ id }) => `task ${id}`),
    )
  }
}

/** Texts are alike but for case, spaces and forms of letters. */
export const compared = (text: string): string =>
  normalised(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

function answerIn(said: unknown): string | undefined {
  const [first] = Array.isArray(said) ? (said as readonly unknown[]) : []
  if (typeof first === 'string') return first
  return isJsonObject(first) && typeof first.Text === 'string' ? first.Text : undefined
}

/** What is not there to measure the variants with. */
export const probedNotes = ({ pairs, runs }: ProbedCandidates): readonly string[] => [
  ...(pairs.size === 0
    ? ['No answers of probes are published here: the variant that reads them is not measured.']
    : counted(pairs.size, 'agent has answers of probes.', 'agents have answers of probes.')),
  ...(runs.length === 0
    ? ['No judged scores are published here: the variant with a track record is not measured.']
    : [
        `The track record holds ${runs.length} judged runs, without those of the task that is asked and its subtasks.`,
      ]),
]
