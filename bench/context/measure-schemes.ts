import { isJsonObject } from '../../src/domain/json.ts'
import { bm25 } from '../../src/evaluation/host-rankers/word-rankers.ts'
import { claudeCode } from '../../src/evaluation/host-rankers/claude-code.ts'
import { foundOf, type HostRanker } from '../../src/evaluation/host-rankers/host-ranker.ts'
import { type ContextRequest, rightCandidate } from './requests.ts'
import { sampleArguments } from './sample-arguments.ts'
import { type Cost, costOf, idOf, type NamedTool, type Scheme, substringScore } from './schemes.ts'
import type { ServedTools } from './served-tools.ts'

/** What came of the requests with one scheme. */
export type Measured = {
  readonly cost: Cost
  /** Requests of which a right tool can be called after the first answer. */
  readonly callable: number
  /** The others: what was asked, and why not. */
  readonly failures: readonly { readonly request: ContextRequest; readonly why: string }[]
}

/** What is asked of every scheme. */
export type Question = {
  readonly tools: readonly NamedTool[]
  readonly requests: readonly ContextRequest[]
  /** Bytes of all tools loaded. */
  readonly all: number
}

/** What the first answers to all requests tell, before anything is called. */
type Asked = {
  readonly answers: readonly number[]
  readonly failures: Measured['failures']
  readonly toCall: readonly { readonly request: ContextRequest; readonly id: string }[]
}

/** Asks a real Audition for `k` candidates or as many as it gives by itself, and for the description of a right one whose inputs were cut. */
export async function askOurs(ours: ServedTools, question: Question, k?: number): Promise<Asked> {
  const byId = new Map(question.tools.map((tool) => [idOf(tool), tool]))
  const answers: number[] = []
  const failures: { readonly request: ContextRequest; readonly why: string }[] = []
  const toCall: { readonly request: ContextRequest; readonly id: string }[] = []
  for (const request of question.requests) {
    const { bytes, candidates } = await ours.search(request.request, k)
    const right = rightCandidate(candidates, request, (id) => requiredOf(byId.get(id)!))
    if (right?.isComplete === true) toCall.push({ request, id: right.id })
    else if (right === undefined) failures.push({ request, why: foundLine(candidates.map(({ id }) => id)) })
    else failures.push({ request, why: `${right.id} needs describe: its inputs are cut` })
    answers.push(bytes + (right?.isComplete === false ? await ours.describe(right.id) : 0))
  }
  return { answers, failures, toCall }
}

/**
 * Calls every right tool that the answers told of with all that a call needs. Calls are uses, by which later searches rank: ask all there
 * is to ask before.
 */
export async function callFound(ours: ServedTools, question: Question, asked: Asked): Promise<Measured> {
  const byId = new Map(question.tools.map((tool) => [idOf(tool), tool]))
  const failures = [...asked.failures]
  for (const { request, id } of asked.toCall) {
    const tool = byId.get(id)!
    const said = await ours.call(tool, sampleArguments(tool.tool.inputSchema))
    if (said !== null) failures.push({ request, why: `a call of ${id} said: ${said}` })
  }
  return {
    cost: costOf(ours.listed, asked.answers, question.all),
    callable: question.requests.length - failures.length,
    failures,
  }
}

const foundLine = (ids: readonly string[]): string => `found ${ids.slice(0, 3).join(', ')}`

const requiredOf = ({ tool: { inputSchema } }: NamedTool): readonly string[] => {
  const { required, properties } = inputSchema
  const known = isJsonObject(properties) ? properties : {}
  return Array.isArray(required) ? required.map(String).filter((name) => name in known) : []
}

/** A scheme of others, over the same tools by the ranker that stands for its own. Its answers hold whole schemas. */
export async function measurePeer(scheme: Scheme, question: Question): Promise<Measured> {
  const search = searchOf(scheme, question.tools)
  const answers: number[] = []
  const failures: { readonly request: ContextRequest; readonly why: string }[] = []
  for (const request of question.requests) {
    const found = (await search(request.request))
      .slice(0, scheme.k)
      .map(({ index }) => question.tools[index]!)
    answers.push(scheme.answer(found, request.request))
    if (!found.some((tool) => request.tools.includes(idOf(tool))))
      failures.push({ request, why: foundLine(found.map(idOf)) })
  }
  return {
    cost: costOf(scheme.listed(question.tools), answers, question.all),
    callable: question.requests.length - failures.length,
    failures,
  }
}

function searchOf({ ranker }: Scheme, tools: readonly NamedTool[]): ReturnType<HostRanker['over']> {
  if (ranker === 'substrings')
    return (request) => Promise.resolve(foundOf(tools.map((tool) => substringScore(request, tool))))
  const list = tools.map(({ server, tool: { name, description, inputSchema } }) => ({
    server,
    name,
    inputSchema,
    description: typeof description === 'string' ? description : '',
  }))
  return (ranker === 'bm25' ? bm25 : claudeCode).over(list)
}
