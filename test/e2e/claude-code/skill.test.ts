import { chmodSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { skillRunner } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import { claudeSkill } from '../../../src/catalog/readers/claude-skill.ts'
import { openDocument } from '../../../src/catalog/source-document.ts'
import type { AgentCard } from '../../../src/domain/card.ts'
import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { runCard } from '../../adapters/ai-sdk/agents.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { hasClaudeCode, program, scriptedClaude, title } from './session.ts'

const text = '---\nname: product\ndescription: Multiplies two numbers\n---\nAlways multiply.\n'

test.skipIf(!hasClaudeCode)(
  `a skill is run: ${title}`,
  async () => {
    const folder = folderWith({
      'product/SKILL.md': text,
      'product/notes.md': 'Carry the tens.',
      'home/keep': '',
      'bin/claude': `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
    })
    chmodSync(join(folder, 'bin/claude'), 0o755)
    const file = join(folder, 'product', 'SKILL.md')
    const [draft] = claudeSkill.read(openDocument(file)).cards
    const card = {
      ...draft,
      id: 'skills/product',
      source: 'skills',
      provenance: { reader: 'claude-skill', location: file },
    } as AgentCard
    const turns = [{ name: 'Skill', input: { skill: 'product' } }, 'It is 12.'] as const
    const { model, asked } = await scriptedClaude(turns.map((said) => () => said))
    const environment = {
      HOME: join(folder, 'home'),
      CLAUDE_CONFIG_DIR: join(folder, 'home', '.claude'),
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: model.url,
      PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    }
    const executor = executorOf(skillRunner, {
      catalogFolder: folder,
      version: '0.0.0',
      languageModel: null,
      environment,
    })
    try {
      const execution = await runCard(executor, card, {}, 'Multiply 3 by 4.')
      expect(execution).toMatchObject({ ending: 'answered', answer: 'It is 12.' })
      expect(JSON.stringify(asked[1]?.messages)).toContain('Always multiply.')
    } finally {
      model.close()
    }
  },
  60_000,
)
