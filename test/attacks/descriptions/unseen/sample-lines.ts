import { readFileSync } from 'node:fs'
import type { Card } from '../../../../src/domain/card.ts'
import { repositoryFolder, type Sample } from '../corpus.ts'

/**
 * Samples of a file beside this one, a text a line under titles `## class`: tools, and agents under the title `agent-prompts`.
 *
 * @param prefix - what ids begin with
 */
export function sampleLines(file: string, prefix: string): readonly Sample[] {
  let title = ''
  return readFileSync(repositoryFolder(`test/attacks/descriptions/unseen/${file}`), 'utf8')
    .split('\n')
    .flatMap((line, at): readonly Sample[] => {
      if (line.startsWith('## ')) title = line.slice(3)
      if (line.startsWith('## ') || line.trim() === '') return []
      const card =
        title === 'agent-prompts' ? agentOf(`${prefix}${at}`, line) : toolOf(`${prefix}${at}`, line)
      return [{ card, class: title, promise: 'hard' }]
    })
}

const cardOf = (id: string, description: string) => ({
  id,
  source: id.split('/')[0]!,
  name: id.split('/')[1]!,
  description,
  examples: [],
  tags: [],
  provenance: { reader: 'corpus', location: 'corpus' },
})

const toolOf = (id: string, description: string): Card => ({
  ...cardOf(id, description),
  kind: 'tool',
  parameters: [],
  inputSchema: { type: 'object', properties: {} },
})

const agentOf = (id: string, text: string): Card => ({
  ...cardOf(id, text),
  kind: 'agent',
  agentKind: 'subagent',
  backbone: null,
  tools: [],
  policy: {},
  instructions: text,
})
