import { chmodSync, copyFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { subagentRuntime } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { agentCard, linesOf, runCard } from '../../adapters/ai-sdk/agents.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { hasClaudeCode, program, scriptedClaude, title } from './session.ts'

test.skipIf(!hasClaudeCode)(
  `a sub-agent has the tools of the servers that it names, and no others: ${title}`,
  async () => {
    const desk = { command: process.execPath, args: ['./called.mjs', './pids'] }
    const folder = folderWith({
      'bin/claude': `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
      'home/keep': '',
      'project/.mcp.json': JSON.stringify({ mcpServers: { 'the desk': desk, other: desk } }),
      'project/.claude/agents/clerk.md':
        '---\nname: clerk\ndescription: Says things\ntools: Read, mcp__the_desk__say, mcp__the_desk__gone, mcp__phone__ring\n---\nYou say things.\n',
    })
    copyFileSync(
      join(import.meta.dirname, '..', '..', 'fixtures', 'mcp-servers', 'called.mjs'),
      join(folder, 'project', 'called.mjs'),
    )
    chmodSync(join(folder, 'bin/claude'), 0o755)
    const card = agentCard(
      { kind: 'claude-subagent', file: join(folder, 'project/.claude/agents/clerk.md') },
      { name: 'clerk', agentKind: 'subagent' },
    )
    const turns = [
      { name: 'mcp__the_desk__say', input: { text: 'good morning' } },
      { name: 'mcp__the_desk__buy', input: { what: 'a boat' } },
      'I said it.',
    ] as const
    const { model, asked } = await scriptedClaude(turns.map((said) => () => said))
    const environment = {
      HOME: join(folder, 'home'),
      CLAUDE_CONFIG_DIR: join(folder, 'home', '.claude'),
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: model.url,
      PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    }
    const executor = executorOf(subagentRuntime, {
      catalogFolder: folder,
      version: '0.0.0',
      languageModel: null,
      environment,
      runner: 'claude',
    })
    try {
      const execution = await runCard(executor, card, {}, 'Say good morning.')
      expect(execution, JSON.stringify(execution)).toMatchObject({ ending: 'answered', answer: 'I said it.' })
      expect(JSON.stringify(asked[1]?.messages)).toContain('said good morning')
      // What it does not name it may not call.
      expect(JSON.stringify(asked[2]?.messages)).not.toContain('bought a boat')
      expect(JSON.stringify(asked[0]?.tools)).not.toContain('mcp__other__')
      const lines = linesOf(execution)
      expect(lines).toContain('status: tools not attached: mcp__phone__ring')
      expect(lines).toContain('status: tools not attached: mcp__the_desk__gone')
    } finally {
      model.close()
    }
  },
  60_000,
)
