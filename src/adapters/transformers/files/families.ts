/** How token vectors become one: their mean, the first, the last, or the model's own `sentence_embedding` output. */
export type Pooling = 'mean' | 'cls' | 'last' | 'model'

/** What the card of a model family asks of its callers. */
type Family = {
  /** Matched against the last part of the model's name, in lower case. */
  readonly matches: RegExp
  readonly pooling: Pooling
  readonly queryPrefix: string
  readonly documentPrefix: string
  /** Tokens the family was trained to read, capped at 512: cards are short, and time grows faster than length. */
  readonly maxTokens: number
}

const searchingPassages = 'Represent this sentence for searching relevant passages: '
const webSearchTask =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

const family = (
  matches: RegExp,
  pooling: Pooling,
  rest: Partial<Omit<Family, 'matches' | 'pooling'>> = {},
): Family => ({ matches, pooling, queryPrefix: '', documentPrefix: '', maxTokens: 512, ...rest })

/** Well-known families, narrower patterns first; the first match counts. */
export const families: readonly Family[] = [
  family(/^multilingual-e5-.*-instruct/, 'mean', { queryPrefix: `${webSearchTask} ` }),
  family(/^(multilingual-)?e5-(small|base|large)/, 'mean', {
    queryPrefix: 'query: ',
    documentPrefix: 'passage: ',
  }),
  family(/^bge-(small|base|large)-en/, 'cls', { queryPrefix: searchingPassages }),
  family(/^bge-(small|base|large)-zh/, 'cls', { queryPrefix: '为这个句子生成表示以用于检索相关文章：' }),
  family(/^bge-m3/, 'cls'),
  family(/^gte-(.*-v1\.5|multilingual|modernbert)/, 'cls'),
  family(/^gte-(tiny|small|base|large)/, 'mean'),
  family(/^all-minilm-l12-/, 'mean', { maxTokens: 128 }),
  family(/^all-minilm-/, 'mean', { maxTokens: 256 }),
  family(/^paraphrase-multilingual-minilm-/, 'mean', { maxTokens: 128 }),
  family(/minilm/, 'mean'),
  family(/^all-mpnet-base/, 'mean', { maxTokens: 384 }),
  family(/^snowflake-arctic-embed-.*-v2/, 'cls', { queryPrefix: 'query: ' }),
  family(/^snowflake-arctic-embed/, 'cls', { queryPrefix: searchingPassages }),
  family(/^mxbai-embed-large/, 'cls', { queryPrefix: searchingPassages }),
  family(/^nomic-embed-text/, 'mean', {
    queryPrefix: 'search_query: ',
    documentPrefix: 'search_document: ',
  }),
  family(/^jina-embeddings-v2/, 'mean'),
  family(/^qwen3-embedding/, 'last', { queryPrefix: webSearchTask }),
]

/** What most sentence encoders want; taken for a model of no known family. */
const unknown = family(/^/, 'mean')

/**
 * Finds what a model's card asks for by its name.
 *
 * @param model - hub id or folder; only the part after the last slash or backslash counts
 */
export function familyOf(model: string): Family {
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase()
  return families.find(({ matches }) => matches.test(name)) ?? unknown
}
