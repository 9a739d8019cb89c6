import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configFrom } from '../src/config.ts'
import { executorsFor } from '../src/compose/open-executors.ts'
import { readSettings } from '../src/probing/settings/settings-file.ts'
import { agentCard } from './adapters/ai-sdk/agents.ts'
import { memoryPins } from './fakes/memory-pins.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

test.each([
  { written: 'subagents: claude', startsClaude: true },
  { written: 'subagents: model', startsClaude: false },
  { written: '', startsClaude: false },
])('settings of "$written" decide where sub-agents run', async ({ written, startsClaude }) => {
  const folder = temporaryFolder()
  const claude = join(folder, 'bin', 'claude')
  const file = join(folder, 'subject.md')
  const settings = join(folder, 'settings.yaml')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(claude, '#!/bin/sh\n')
  chmodSync(claude, 0o755)
  writeFileSync(file, '---\nname: subject\ndescription: A subject\n---\nDo it.\n')
  writeFileSync(settings, written)
  const config = configFrom({ PATH: join(folder, 'bin'), AUDITION_LLM: 'ollama:tiny' })
  const card = agentCard({ kind: 'claude-subagent', file })
  const executor = executorsFor({
    config,
    catalogFolder: folder,
    settings: await readSettings(settings),
    pinned: memoryPins(),
  }).find((one) => one.accepts(card))
  const { needs } = await executor!.plan(card)
  expect(needs).toEqual(startsClaude ? [`command:${claude}`] : ['chat:http://127.0.0.1:11434'])
})
