import type { Card, ToolCard } from '../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { generatedRequests } from '../evaluation/findability/generate-requests.ts'
import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import type { Reference, Task } from '../probing/ports.ts'
import { nounLikeVerbs, sureVerbs } from '../retrieval/query/steps/clause-words.ts'
import { analyzeQuery } from '../retrieval/text/analyze.ts'
import { embeddingText } from '../retrieval/text/card-texts.ts'
import { selfContained } from './self-contained.ts'
import type { QuestionKind, Questions, TaskWriter, WrittenTask } from './ports.ts'

/** What stands for a writer where no language model is: what cards themselves say. */
export const templatesName = 'templates'

/** Calls of a tool that its schema admits, with known answers where there are any. */
export type KnownCalls = (card: Card, count: number) => Promise<readonly Task[]>

type Rules = {
  readonly [Kind in QuestionKind]: (
    asked: Questions[Kind]['asked'],
  ) => Questions[Kind]['answer'] | null | Promise<Questions[Kind]['answer'] | null>
}

/** Calls that are made of one tool. */
const mostCalls = 4

/**
 * Writes tasks without a language model: from the examples of cards, from calls that their schemas admit, and from clauses of their
 * descriptions. They share the author's words, so that search finds them more easily than what people ask.
 */
export function templates(knownCalls: KnownCalls): TaskWriter {
  const rules: Rules = {
    write: async ({ target, turn }) => (await tasksOf(target, knownCalls))[turn] ?? null,
    selfContained: ({ task }) => selfContained(task),
    // Nothing can be invented by rule: a call of the tool brings its data, or the task is given up.
    rewrite: async ({ target, task }) =>
      (await callsOf(target, knownCalls)).find((call) => call.task !== task) ?? null,
    call: async ({ tool }) => {
      const [call] = await callsOf(tool, knownCalls)
      return call?.arguments === undefined ? null : { arguments: call.arguments }
    },
    merge: ({ parts }) => ({ task: parts.map(joined).join(' ') }),
    entails: () => null,
    goal: ({ targets }) => {
      const words = sharedWords(targets.map(saidBy))
      if (words.length < 5) return null
      const [first, second, third] = words
      return {
        goal: `Get help with all that has to do with ${first}, ${second} and ${third}`,
        criteria: words.slice(0, 5).map((word) => `speaks of ${word}`),
      }
    },
    meets: ({ task, target, criteria }) => {
      const words = new Set(plainWords(`${task} ${saidBy(target)}`))
      return { meets: criteria.map((criterion) => words.has(criterion.slice('speaks of '.length))) }
    },
    instruction: ({ targets: [target] }) =>
      target === undefined ? null : { instruction: instructionOf(target) },
  }
  return {
    name: templatesName,
    host: null,
    costOf: () => 0,
    async ask(kind, asked) {
      return { answer: await rules[kind](asked), tokens: { input: 0, output: 0 } }
    },
  }
}

/** All tasks of a card, the likeliest to be asked first. */
async function tasksOf(card: Card, knownCalls: KnownCalls): Promise<readonly WrittenTask[]> {
  const examples = card.examples.map((task) => ({ task: task.trim() })).filter(({ task }) => task !== '')
  const calls = await callsOf(card, knownCalls)
  const schema = card.kind === 'tool' ? { inputSchema: card.inputSchema } : {}
  // What a server says of itself as an agent is a list of what its tools do, and what a tool with inputs says has no values: no tasks.
  const isBare =
    card.kind === 'agent'
      ? card.agentKind === 'toolkit'
      : card.parameters.some(({ required }, at) => required || (card.inputSchema === undefined && at === 0))
  const said = { name: card.name, description: card.description, ...schema }
  const clauses = isBare ? [] : generatedRequests(said)
  return [...examples, ...calls, ...clauses.flatMap((clause) => asRequest(clause, card.description))]
}

async function callsOf(card: Card, knownCalls: KnownCalls): Promise<readonly WrittenTask[]> {
  if (card.kind !== 'tool') return []
  const [purpose] = card.description
    .split(/(?<=[.!?:])\s+|\n+/)
    .flatMap((sentence) => asRequest(sentence.trim().replace(/[.!?:]$/, ''), card.description))
  return (await knownCalls(withSchema(card), mostCalls)).flatMap(
    ({ text, arguments: given = {}, reference }) => {
      const task = inWords(text, given, purpose?.task)
      // A call without values says no more than the description.
      const isBare = Object.keys(given).length === 0 && card.description.startsWith(text)
      if (task === undefined || isBare || holdsNothing(given)) return []
      const expect = answerOf(reference)
      return {
        task,
        arguments: given,
        ...(expect === undefined ? {} : { expect }),
        ...(reference === undefined ? {} : { reference }),
      }
    },
  )
}

/** Parameters of a tool without a schema that are all given a value: of more nobody knows which are needed. */
const mostGuessed = 4

/** A tool that publishes no schema has the one that its few parameters tell, all of them required. */
function withSchema(card: ToolCard): ToolCard {
  const { inputSchema, parameters } = card
  if (inputSchema !== undefined || parameters.length === 0 || parameters.length > mostGuessed) return card
  const required = parameters.map(({ name }) => name)
  const typeOf = (type = ''): string =>
    /^int/i.test(type)
      ? 'integer'
      : /^(?:float|num)/i.test(type)
        ? 'number'
        : /^bool/i.test(type)
          ? 'boolean'
          : 'string'
  const properties = Object.fromEntries(parameters.map(({ name, type }) => [name, { type: typeOf(type) }]))
  return { ...card, inputSchema: { type: 'object', properties, required } }
}

/** Whether some value in it is an object or a list without anything in it. */
const holdsNothing = (given: JsonObject): boolean =>
  Object.values(given).some(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      (Object.keys(value).length === 0 || (isJsonObject(value) && holdsNothing(value))),
  )

/** What a reference knows of the answer, as a text. */
function answerOf(reference: Reference | undefined): string | undefined {
  switch (reference?.kind) {
    case 'exact':
    case 'states':
      return reference.text
    case 'number':
      return String(reference.value)
    case 'json-path':
      return typeof reference.value === 'object' ? undefined : String(reference.value)
    case 'set':
      return reference.items.join(', ')
    default:
      return undefined
  }
}

/** The JSON of a call in a person's words; undefined where the card does not say what the tool does. */
function inWords(text: string, given: JsonObject, purpose: string | undefined): string | undefined {
  if (!text.endsWith(` Use ${JSON.stringify(given)}`)) return text
  const values = Object.entries(given).map(([name, value]) => `${plainWords(name).join(' ')} ${said(value)}`)
  return purpose && `${purpose}: ${values.join(', ')}.`
}

const said = (value: JsonValue): string => {
  if (typeof value === 'string') return `"${value}"`
  return Array.isArray(value) && value.every((one) => typeof one !== 'object')
    ? value.join(' and ')
    : JSON.stringify(value)
}

/**
 * A clause of a description as one asks for it: `Reviews leases` is `Review leases`. One without a verb is the thing that is wanted where
 * the description begins with it, and else no request.
 */
function asRequest(clause: string, description: string): readonly WrittenTask[] {
  if (speaksOfItself.test(clause)) return []
  if (!/^\p{P}*\p{Script=Latin}/u.test(clause)) return [{ task: clause }]
  const bare = imperative(clause)
  const [first = '', second = ''] = bare.toLowerCase().split(/[\s,:;]+/, 2)
  const isVerb =
    bare !== clause ||
    isKnownVerb(first) ||
    articles.has(second) ||
    first.endsWith('ly') ||
    /\?$/.test(clause)
  if (isVerb) return [{ task: upperFirst(bare) }]
  return description.startsWith(clause) ? [{ task: `Get me ${lowerFirst(clause)}` }] : []
}

/** What is said of a card and its use, and asks for nothing. */
const speaksOfItself =
  /^(?:this|it|you|your|note|optionally|when|use (?:this|it|when|for|if|proactively|to)|[\w-]+ (?:tool|agent|assistant) (?:for|to|that)|(?:tool|agent|function) )\b/i
/** What follows a verb that no list knows. */
const articles = new Set(['a', 'an', 'the', 'all', 'one'])
const isKnownVerb = (word: string): boolean => sureVerbs.has(word) || nounLikeVerbs.has(word)

function imperative(text: string): string {
  const [first = '', ...rest] = text.split(' ')
  const bare = first.replace(/ies$/, 'y').replace(/(?<=s|sh|ch|x|z)es$/, '')
  const base = bare === first ? first.replace(/(?<=[a-z])s$/, '') : bare
  if (base === first || !isKnownVerb(base.toLowerCase()) || rest.length === 0) return text
  const [and, second = '', ...more] = rest
  // `Filters and groups`: the second verb is asked for, too.
  const also = and === 'and' && more.length > 0 ? imperative([second, ...more].join(' ')) : null
  return [base, ...(also === null ? rest : ['and', also])].join(' ')
}

const links = ['', 'After that: ', 'Also: ', 'Finally: ']
const joined = (part: string, place: number): string =>
  `${links[place] ?? 'And: '}${/[.!?]$/.test(part.trim()) ? part.trim() : `${part.trim()}.`}`

const saidBy = ({ description, tags }: Card): string => [...tags, description].join(' ')

/** Telling words by the number of texts that have them, those of at least two first. */
function sharedWords(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(analyzeQuery(text).map((one) => one.word.toLowerCase())))
      if (/^\p{L}{3,}$/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).map(([word]) => word)
}

function instructionOf(target: Card): string {
  const [does = target.name] = target.description.split(/(?<=[.!?])\s|\n/)
  const what = imperative(does.replace(/[.!?]$/, ''))
  const inputs = target.kind === 'tool' ? target.parameters.map(({ name }) => plainWords(name).join(' ')) : []
  const processing = inputs.length === 0 ? '' : ` by processing ${inputs.slice(0, 5).join(', ')}`
  const area = areaOf(target)
  return `Given ${/^[aeiou]/i.test(area) ? 'an' : 'a'} \`${area}\` task, retrieve ${target.kind}s that ${lowerFirst(what)}${processing}.`
}

/** Its first tag, else the word that it says most; never its own name or its server's. */
function areaOf(card: Card): string {
  const names = [card.name, card.source, card.kind === 'tool' ? (card.server ?? '') : '']
  const isName = (text: string) => names.some((name) => name.toLowerCase() === text.toLowerCase())
  const tag = card.tags.find((one) => !isName(one))
  if (tag !== undefined) return tag
  const counts = new Map<string, number>()
  for (const { word } of analyzeQuery(embeddingText(card)))
    if (/^\p{L}{3,}$/u.test(word) && !isName(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['general', 0])[0].toLowerCase()
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)
