import { staticModel } from '../src/adapters/static-model/static-model.ts'
import type { Card } from '../src/domain/card.ts'
import type { SearchAnswer } from '../src/retrieval/answer.ts'
import { memorySnapshot } from '../src/retrieval/memory-snapshot.ts'
import { search } from '../src/retrieval/search/search.ts'
import { claudeCode } from '../src/hosts/known/claude-code.ts'
import type { Reached } from '../src/server/asking/reached.ts'
import { answerTokens } from '../src/server/tools/search.ts'
import { jsonBytes, tokensOf } from '../src/server/answers/fitted-answer.ts'
import { tools } from '../src/server/server.ts'
import { cardsAnswer } from '../src/server/tools/describe.ts'
import { atMost, type Bench, type Findings } from './bench.ts'
import { realQueries, realTools } from './real-servers.ts'
import { hasModel, modelFolder } from './static-model-folder.ts'
import { quantile } from '../src/evaluation/statistics/bootstrap.ts'

const queryCount = 300
const described = 3

/** What an answer costs a host's model, over the cards of real MCP servers. */
export const answers: Bench = {
  name: 'answers',
  question: 'How many tokens does an answer cost a host, and how many the list of our tools?',
  async run({ data, log }) {
    const listed = tokensOf(jsonBytes(tools.map(listing)))
    if (data === null) return findingsOf(listed, [], [])
    const cards = realTools(data)
    log(`answers: ${cards.length} tools of real servers`)
    const model = hasModel ? await staticModel(modelFolder) : null
    const snapshot = await memorySnapshot(cards, model)
    const byId = new Map(cards.map((card) => [card.id, card]))
    const searched: number[] = []
    const whole: number[] = []
    for (const query of realQueries(data, queryCount)) {
      const found = await search({ snapshot, model }, { kind: 'tool', query })
      searched.push(answerTokens({ ...found, candidates: found.candidates.map(asInClaudeCode) }))
      whole.push(await describedTokens(found, byId))
    }
    return findingsOf(listed, searched, whole)
  },
}

/** A candidate with the exact name by which Claude Code calls it. */
const asInClaudeCode = (candidate: Reached): Reached => ({
  ...candidate,
  reach: { call: claudeCode.toolName(candidate.card.source, candidate.card.name) },
})

/** What a host reads of a tool from `tools/list`. */
const listing = ({ inputSchema, outputSchema, meta, ...tool }: (typeof tools)[number]) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  annotations: tool.annotations,
  _meta: meta,
  inputSchema: inputSchema(),
  outputSchema: outputSchema(),
})

async function describedTokens(
  { candidates }: SearchAnswer,
  byId: ReadonlyMap<string, Card>,
): Promise<number> {
  const cards = candidates.slice(0, described).flatMap(({ card }) => byId.get(card.id) ?? [])
  const { structured } = await cardsAnswer(cards, [], undefined)
  return tokensOf(jsonBytes(structured))
}

function findingsOf(listed: number, searched: readonly number[], whole: readonly number[]): Findings {
  const row = (what: string, values: readonly number[]): readonly string[] => [
    what,
    ...[0.5, 0.9, 1].map((share) => (values.length === 0 ? '-' : `${quantile(values, share)}`)),
  ]
  const median = (values: readonly number[]) => (values.length === 0 ? undefined : quantile(values, 0.5))
  return {
    tables: [
      {
        title: `Tokens over ${searched.length} requests, five candidates each`,
        head: ['', 'median', 'p90', 'worst'],
        rows: [
          row('search_tools', searched),
          row('describe, three cards', whole),
          ['tools/list', `${listed}`, '', ''],
        ],
      },
    ],
    notes: [
      ...(searched.length === 0 ? ['skipped: data not present; answers are not measured'] : []),
      'Of the structured content, 3.2 bytes of UTF-8 a token: rather too many (cl100k needs a quarter fewer for such answers).',
    ],
    floors: [
      atMost('tokens of five tools, median', 400, median(searched)),
      atMost('tokens of three described cards, median', 1_000, median(whole)),
      atMost('tokens of tools/list', 2_600, listed),
    ],
  }
}
