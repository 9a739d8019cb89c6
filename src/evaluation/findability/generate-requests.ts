import { isJsonObject } from '../../domain/json.ts'
import { functionWords, requestWords } from '../../retrieval/text/analyze.ts'
import { plainWords, type SearchedTool } from '../host-rankers/host-ranker.ts'

/** Most requests of one tool. */
const most = 5
/** Fewer telling words ask for nothing in particular, more are nobody's request. */
const leastWords = 2
const mostWords = 12
const mostCharacters = 200

/**
 * Requests made of what a tool says: of the parts of its description, of the examples in it and in its schema, and of its arguments, with an
 * everyday verb in place of its own. None holds the whole name. They share the author's words, and so are easier than people's.
 */
export function generatedRequests(tool: SearchedTool): readonly string[] {
  const made = [...examplesOf(tool), ...clausesOf(tool), ...byArguments(tool)]
    .map((text) =>
      text
        .slice(0, mostCharacters)
        .replace(/\b(?:for example|such as|e\.g\.)[\s.,;:]*$/iu, '')
        .replace(/(?<![\s.,;:])[\s.,;:]+$/u, '')
        .trim(),
    )
    .filter((text) => isRequest(text, tool))
  return [...new Map(made.map((text) => [text.toLowerCase(), text])).values()].slice(0, most)
}

function isRequest(text: string, { name }: SearchedTool): boolean {
  const words = plainWords(text)
  const telling = words.filter((word) => !functionWords.has(word) && !requestWords.has(word))
  const ofName = plainWords(name)
  const holdsName = ` ${words.join(' ')} `.includes(` ${ofName.join(' ')} `)
  return telling.length >= leastWords && words.length <= mostWords && !(ofName.length > 1 && holdsName)
}

const quotation = /["“]([^"”]{8,100})["”]/gu

/** What stands in quotes in the description, and texts among the examples of the schema. */
function examplesOf({ description = '', inputSchema }: SearchedTool): readonly string[] {
  const quoted = [...description.matchAll(quotation)].map(([, text = '']) => text)
  const schema: unknown = inputSchema
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
  const given = Object.values(properties).flatMap((property) =>
    isJsonObject(property) && Array.isArray(property.examples) ? property.examples : [],
  )
  return [...quoted, ...given.filter((example) => typeof example === 'string')]
}

/** Sentences of the description, and their clauses where they are long. */
function clausesOf({ description = '' }: SearchedTool): readonly string[] {
  return description
    .replace(quotation, '')
    .split(/(?<=[.!?])\s+|\n+/u)
    .flatMap((sentence) =>
      plainWords(sentence).length > mostWords ? sentence.split(/[,;:()]\s*|\s[–-]\s/u) : [sentence],
    )
    .map((clause) => {
      const [first = '', ...rest] = clause.trim().split(/\s+/)
      const verb = everydayVerb(first.toLowerCase())
      return verb === undefined ? clause : [verb, ...rest].join(' ')
    })
}

/** The verb of the name in everyday words, what it is done to, and with which arguments. */
function byArguments({ name, inputSchema }: SearchedTool): readonly string[] {
  const words = plainWords(name)
  const at = words.findIndex((word) => everydayVerb(word) !== undefined)
  const schema: unknown = inputSchema
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
    .slice(0, 3)
    .map((argument) => plainWords(argument).join(' '))
  if (at < 0 || names.length === 0) return []
  const object = [...words.slice(at + 1), ...words.slice(0, at)].join(' ')
  return [`${everydayVerb(words[at]!)} ${object} by ${names.join(' and ')}`]
}

const everydayVerbs: { readonly [verb: string]: string } = {
  create: 'make',
  add: 'put in',
  insert: 'put in',
  append: 'put in',
  generate: 'make',
  delete: 'get rid of',
  remove: 'get rid of',
  drop: 'get rid of',
  clear: 'empty',
  update: 'change',
  edit: 'change',
  modify: 'change',
  set: 'change',
  rename: 'give another name to',
  get: 'show me',
  list: 'show me',
  read: 'show me',
  fetch: 'show me',
  return: 'show me',
  show: 'tell me',
  search: 'look for',
  find: 'look for',
  query: 'ask',
  lookup: 'look up',
  send: 'mail',
  post: 'put up',
  publish: 'put out',
  upload: 'put up',
  download: 'save',
  run: 'start',
  execute: 'start',
  trigger: 'start',
  start: 'run',
  stop: 'end',
  cancel: 'call off',
  convert: 'turn',
  translate: 'turn',
  compute: 'work out',
  calculate: 'work out',
  compare: 'set side by side',
  open: 'start',
  close: 'shut',
  move: 'put elsewhere',
  copy: 'duplicate',
  merge: 'join',
  split: 'cut up',
}

const everydayVerb = (word: string): string | undefined =>
  Object.hasOwn(everydayVerbs, word)
    ? everydayVerbs[word]
    : [word.replace(/e?s$/, ''), word.replace(/s$/, '')]
        .filter((base) => Object.hasOwn(everydayVerbs, base))
        .map((base) => everydayVerbs[base])[0]
