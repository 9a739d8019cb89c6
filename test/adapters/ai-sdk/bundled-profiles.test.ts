import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { profileRuntime } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import { profileYaml } from '../../../src/catalog/readers/profile-yaml.ts'
import { openDocument } from '../../../src/catalog/source-document.ts'
import { callPolicy } from '../../../src/adapters/ai-sdk/agents/policy-settings.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { agentCard } from './agents.ts'

const catalogFolder = fileURLToPath(new URL('../../../catalog', import.meta.url))
const profiles = readdirSync(join(catalogFolder, 'profiles')).map((file) => {
  const path = join(catalogFolder, 'profiles', file)
  const [draft] = profileYaml.read(openDocument(path)).cards
  if (draft?.kind !== 'agent') throw new Error(`${file} is no agent`)
  const { name, backbone, policy, runtime } = draft
  return { card: agentCard({ kind: 'profile', file: path }, { name, backbone }), policy, runtime }
})

test.skipIf(process.platform === 'win32')(
  'every bundled profile with a model is planned once its variables are set and its programs there',
  async () => {
    const programs = folderWith(Object.fromEntries(['node', 'npx', 'uvx'].map((name) => [name, ''])))
    for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755) // planning starts none
    const environment = { ...variables, PATH: programs }
    const languageModel = { spec: 'ollama:tiny' }
    const executor = executorOf(profileRuntime, {
      languageModel,
      catalogFolder,
      environment,
      version: '0.0.0',
    })
    const planned = profiles.filter(({ card, runtime }) => runtime !== undefined && executor.accepts(card))
    expect(planned.length).toBeGreaterThan(50)
    expect(
      profiles.filter(({ runtime }) => runtime === undefined).every(({ card }) => !executor.accepts(card)),
    ).toBe(true)
    for (const { card } of planned) {
      const { permit, needs, host } = await executor.plan(card)
      expect(permit).toBe(`profile:${card.provenance.location}`)
      expect(needs.at(-1)).toBe('chat:http://127.0.0.1:11434')
      expect(host).toBeNull()
    }
  },
)

test('of the policies of the bundled profiles, sampling, length and turns are applied', () => {
  const ignored = new Set(profiles.flatMap(({ policy }) => callPolicy(policy, 'ollama:tiny').ignored))
  expect([...ignored].map((field) => field.replace(/ .*/, '')).sort()).toEqual([
    'add_history_to_messages',
    'enable_agentic_memory',
    'enable_session_summaries',
    'enable_user_memories',
    'knowledge_base',
    'read_chat_history',
    'read_tool_call_history',
  ])
})

/** What the bundled profiles leave to their user. */
const variables = Object.fromEntries(
  profiles
    .flatMap(({ card }) => [...openDocument(card.provenance.location).text.matchAll(/\$\{([A-Z_]+)\}/g)])
    .map(([, name]) => [name!, '/tmp']),
)
