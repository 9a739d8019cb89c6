import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Reader } from '../../../src/catalog/ports.ts'
import { agentFramework } from '../../../src/catalog/frameworks/agent-framework.ts'
import { agentJsonl } from '../../../src/catalog/readers/agent-jsonl.ts'
import { claudePlugin } from '../../../src/catalog/readers/claude-plugin.ts'
import { claudeSkill } from '../../../src/catalog/readers/claude-skill.ts'
import { claudeSubagent } from '../../../src/catalog/readers/claude-subagent.ts'
import { copilotAgent } from '../../../src/catalog/readers/copilot-agent.ts'
import { agno } from '../../../src/catalog/frameworks/agno.ts'
import { langgraph } from '../../../src/catalog/frameworks/langgraph.ts'
import { crewai } from '../../../src/catalog/frameworks/crewai.ts'
import { dockerAgentYaml } from '../../../src/catalog/readers/docker-agent-yaml.ts'
import { knownRefusals } from '../../../src/catalog/readers/known-refusals.ts'
import { lobeAgent } from '../../../src/catalog/readers/lobe-agent.ts'
import { profileYaml } from '../../../src/catalog/readers/profile-yaml.ts'
import { toolretJsonl } from '../../../src/catalog/readers/toolret-jsonl.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

/** A path each reader may claim, and the words of its format, out of which near misses are made. */
const readers: readonly {
  readonly reader: Reader
  readonly path: string
  readonly words: readonly string[]
}[] = [
  {
    reader: profileYaml,
    path: 'a.yaml',
    words: [
      'profile: audition/v1',
      'name: a',
      'description: b',
      'backbone: null',
      'servers: {a: 1}',
      'run: []',
      'tools: [{}]',
    ],
  },
  {
    reader: claudeSubagent,
    path: '/agents/a.md',
    words: ['---', 'name: a', 'description: b: c', 'tools: [1, {}]', 'model: [x]', '<example>', 'user: "'],
  },
  {
    reader: claudeSkill,
    path: '/a/SKILL.md',
    words: ['---', 'name: 1', 'description: [a]', 'description: b', 'metadata: 3', 'allowed-tools: {}'],
  },
  {
    reader: copilotAgent,
    path: 'a.agent.md',
    words: [
      '---',
      'description: b',
      'mcp-servers: {a: {env: 3, args: [1, {}], tools: {}}}',
      'tools: ,',
      'mcp-servers: 1',
    ],
  },
  {
    reader: crewai.reader,
    path: 'agents.yaml',
    words: ['a:', '  role: x', '  goal: y', '  llm: {}', '  tools: 3', 'b: 1'],
  },
  {
    reader: dockerAgentYaml,
    path: 'a.yaml',
    words: [
      'agents:',
      '  a: {model: 1, toolsets: [1, {}, {type: mcp, remote: {url: 3}}]}',
      'models: []',
      'metadata: x',
      '  b: {shell: 1}',
    ],
  },
  {
    reader: agentFramework.reader,
    path: 'a.yaml',
    words: [
      'kind: Prompt',
      'name: []',
      'model: x',
      'model: {id: 3}',
      'tools: [1, {kind: mcp}]',
      'instructions: x',
    ],
  },
  {
    reader: agno.reader,
    path: 'a.yaml',
    words: [
      'agent: 3',
      'model: {id: a, provider: b, name: []}',
      'tools: [1, {}, {name: {}}]',
      'instructions: [1]',
      'memory: x',
    ],
  },
  {
    reader: knownRefusals,
    path: 'a.yaml',
    words: ['a: {expected_output: x}', 'manifest: {a: {}}', 'memory: 1', 'id: a', 'base_agent: b'],
  },
]

const jsonReaders: readonly {
  readonly reader: Reader
  readonly path: string
  readonly keys: readonly string[]
}[] = [
  {
    reader: claudePlugin,
    path: '/.claude-plugin/plugin.json',
    keys: ['name', 'description', 'author', 'mcpServers', 'repository'],
  },
  {
    reader: lobeAgent,
    path: 'a.json',
    keys: ['identifier', 'meta', 'config', 'systemRole', 'examples', 'title'],
  },
  {
    reader: langgraph.reader,
    path: 'a.json',
    keys: [
      'graphs',
      'path',
      'graph_id',
      'context',
      'config',
      'configurable',
      'model',
      'tools',
      'mcp_servers',
    ],
  },
  { reader: knownRefusals, path: 'a.json', keys: ['$schema', 'properties', 'name'] },
  {
    reader: agentJsonl,
    path: 'a.jsonl',
    keys: ['id', 'source', 'name', 'interface', 'kind', 'repo', 'project', 'tools', 'model', 'examples'],
  },
  {
    reader: toolretJsonl,
    path: 'a.jsonl',
    keys: [
      'id',
      'documentation',
      'doc',
      'name',
      'description',
      'parameters',
      'arguments',
      'required',
      'tools',
      'api_arguments',
      'code',
      'requestBody',
      'domain',
    ],
  },
]

function readAll(reader: Reader, path: string, text: string): void {
  const document = documentFromText(path, text)
  reader.recognises(document)
  for (const card of reader.read(document).cards) {
    if (card.name === '') throw new Error(`${reader.name} gave a card without a name`)
  }
}

describe('no text makes a reader throw or give a card without a name', () => {
  test.each(readers)('$reader.name', ({ reader, path, words }) => {
    const text = fc
      .array(
        fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.string() }),
      )
      .map((lines) => lines.join('\n'))
    fc.assert(fc.property(text, (random) => readAll(reader, path, random)))
  })

  test.each(jsonReaders)('$reader.name, $path', ({ reader, path, keys }) => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('', 'a', 'x:y', null, 1, true),
        tie('object'),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
      object: fc.dictionary(fc.constantFrom(...keys), tie('any')),
    })).object
    const text = fc.array(
      fc.oneof(
        value.map((object) => JSON.stringify(object)),
        fc.string(),
      ),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(text, (lines) => readAll(reader, path, lines.join('\n'))),
      { numRuns: 300 },
    )
  })
})
