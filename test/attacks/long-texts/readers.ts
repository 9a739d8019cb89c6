import { fencedData } from '../../../src/adapters/ai-sdk/agents/fenced-data.ts'
import { readVerdict } from '../../../src/adapters/ai-sdk/judge/llm-judge.ts'
import { documentedParameters } from '../../../src/catalog/formats/documented-parameters.ts'
import { frontMatterOf, backboneOf, toolsOf } from '../../../src/catalog/formats/markdown-agent.ts'
import { splitExampleBlocks, withRealLineBreaks } from '../../../src/catalog/formats/example-dialogues.ts'
import { keyOf } from '../../../src/catalog/identity.ts'
import { indentFlowLines, parseYaml } from '../../../src/catalog/formats/parse-yaml.ts'
import { labelledText } from '../../../src/catalog/readers/toolret-jsonl.ts'
import { withoutSecrets } from '../../../src/catalog/formats/published-fields.ts'
import { pythonLiteral, structuredText } from '../../../src/catalog/formats/structured-text.ts'
import { visibleText } from '../../../src/trust/review/card-differences.ts'
import { sentencesOf } from '../../../src/trust/scan/learned/tokens.ts'
import { namesOfCards } from '../../../src/trust/scan/rules/card-names.ts'
import { neighbourhood } from '../../../src/trust/scan/rules/look-alike-names.ts'
import { scanText } from '../../../src/trust/scan/scan-text.ts'
import { decodings } from '../../../src/trust/scan/text/decodings.ts'
import { plainText } from '../../../src/trust/scan/text/plain-text.ts'
import { wordsOf } from '../../../src/trust/scan/text/words.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'
import { printableLine } from '../../../src/domain/text/printable.ts'
import { maskSecrets } from '../../../src/domain/text/secrets.ts'
import { tellingLine } from '../../../src/domain/text/telling-line.ts'
import { splitWords } from '../../../src/vectors/embedding/split-words.ts'
import { asksForGrade } from '../../../src/probing/judges/asks-for-grade.ts'
import { states } from '../../../src/probing/judges/reference-judge.ts'
import { analyze, analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import { shapeOf } from '../../../src/retrieval/facts/publisher-shape.ts'
import { echoReader, isRequestLike } from '../../../src/retrieval/defences/suspicion.ts'
import { wordBytes } from '../../../src/retrieval/facts/plain-words.ts'
import { requestIntent } from '../../../src/retrieval/effects/request-effect.ts'
import { requestVerbs } from '../../../src/retrieval/effects/request-verbs.ts'
import { splitRequest } from '../../../src/retrieval/query/facets.ts'
import { requestWords } from '../../../src/retrieval/named-systems/request-words.ts'
import { clipWords, withoutPaths } from '../../../src/server/text.ts'
import { fitText, wrapText } from '../../../src/cli/render/text.ts'
import type { Card } from '../../../src/domain/card.ts'

/** A function that takes texts of strangers, however long. */
export type Reader = {
  readonly name: string
  read(text: string): unknown
  /** Length of the shorter text, in UTF-16 units, where a long one takes seconds. @defaultValue 20,000 */
  readonly length?: number
}

const card = (name: string): Card => ({
  kind: 'tool',
  id: 'acme/x',
  source: 'acme',
  name,
  description: '',
  parameters: [],
  examples: [],
  tags: [],
  provenance: { reader: 'mcp-server', location: 'x', details: {} },
})
const around = neighbourhood(namesOfCards([{ id: 'other/weather', name: 'weather', source: 'other' }]))
const scan = (register: 'reference' | 'name' | 'prompt' | 'value') => (text: string) =>
  scanText({ field: 'description', register, text })

export const readers: readonly Reader[] = [
  { name: 'scan of documentation', length: 3_000, read: scan('reference') },
  { name: 'scan of a name', length: 3_000, read: scan('name') },
  { name: 'scan of a prompt', length: 3_000, read: scan('prompt') },
  { name: 'scan of a value', length: 3_000, read: scan('value') },
  { name: 'sentences', length: 5_000, read: (text) => sentencesOf(text, wordsOf(text)) },
  { name: 'lines of a terminal', length: 50_000, read: (text) => wrapText(text, 100) },
  { name: 'a line that fits', length: 50_000, read: (text) => fitText(text, 1_000_000) },
  { name: 'words', read: wordsOf },
  { name: 'plain text', read: plainText },
  { name: 'decodings', read: decodings },
  { name: 'look-alike names', length: 5_000, read: (text) => around.lookAlikeFindings(card(text)) },
  { name: 'comparison of texts', read: visibleText },
  { name: 'terms of a card', length: 5_000, read: analyze },
  { name: 'terms of a request', length: 5_000, read: analyzeQuery },
  { name: 'words for the model', length: 5_000, read: splitWords },
  { name: 'steps', length: 5_000, read: splitRequest },
  { name: 'named systems', length: 5_000, read: requestWords },
  { name: 'effects', read: requestIntent },
  { name: 'verbs told as done', read: requestVerbs },
  { name: 'shape of a description', read: shapeOf },
  { name: 'likeness to a request', read: isRequestLike },
  {
    name: 'echo of a request',
    read: (text) => echoReader('a b c d e f')(wordBytes(text, text.length)),
  },
  { name: 'YAML', length: 5_000, read: parseYaml },
  { name: 'YAML in brackets', length: 5_000, read: (text) => parseYaml(`a: [\n${text}\n]`) },
  {
    name: 'front matter',
    length: 5_000,
    read: (text) => frontMatterOf(documentFromText('a.md', `---\n${text}\n---\n`)),
  },
  {
    name: 'front matter of one field',
    length: 5_000,
    read: (text) => frontMatterOf(documentFromText('a.md', `---\nname: "${text}\n---\n`)),
  },
  { name: 'line breaks that were escaped', read: withRealLineBreaks },
  { name: 'brackets below their key', read: indentFlowLines },
  { name: 'JSON', read: (text) => documentFromText('a.json', `{${text}`).json() },
  { name: 'flattened documentation', read: (text) => labelledText(`a:${text}`, ['a', 'b', 'c']) },
  { name: 'structured text', length: 5_000, read: structuredText },
  { name: 'literals of Python', length: 5_000, read: (text) => pythonLiteral(`['${text}`) },
  {
    name: 'inputs told in a text',
    read: (text) =>
      documentedParameters({ description: `Parameters: {"a": ${text}}`, parameters: { a: text } }),
  },
  {
    name: 'inputs of a signature',
    length: 5_000,
    read: (text) => documentedParameters({ code: `def f(${text})` }),
  },
  { name: 'names of inputs', read: (text) => documentedParameters({ parameters: { [text]: '' } }) },
  { name: 'dialogues', read: (text) => splitExampleBlocks(`x <example>${text}</example>`) },
  { name: 'headings of dialogues', read: (text) => splitExampleBlocks(`${text}<example>a</example>`) },
  { name: 'lists of tools', read: toolsOf },
  { name: 'names of models', read: backboneOf },
  { name: 'keys', length: 5_000, read: keyOf },
  { name: 'addresses', read: withoutSecrets },
  { name: 'cleaning for people', read: printableLine },
  { name: 'masking', length: 5_000, read: (text) => maskSecrets(text, ['my-secret-value']) },
  { name: 'paths in answers', read: withoutPaths },
  { name: 'last words of a program', read: tellingLine },
  { name: 'quotations', read: (text) => clipWords(text, 200) },
  { name: 'fences', read: (text) => fencedData('ANSWER', text, '0123456789abcdef') },
  { name: 'verdicts of a model', read: (text) => readVerdict(text, text) },
  { name: 'begging for a grade', length: 5_000, read: (text) => asksForGrade('task', text) },
  { name: 'a fact in an answer', length: 5_000, read: (text) => states(text, 'Paris') },
]
