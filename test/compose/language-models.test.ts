import { expect, test } from 'vitest'
import { callableModels } from '../../src/adapters/ai-sdk/models/callable-models.ts'
import { backboneModel, configuredModels } from '../../src/adapters/ai-sdk/models/language-model.ts'
import { languageModelOf } from '../../src/compose/language-models.ts'
import { configFrom } from '../../src/config.ts'
import { folderWith } from '../catalog/temporary-folder.ts'

const settings = (text: string) => `${folderWith({ 'settings.yaml': text })}/settings.yaml`
const specs = async (environment: object, text: string) =>
  languageModelOf(configFrom({ ...environment, AUDITION_SETTINGS: settings(text) }))

const listed = 'models:\n  - model: anthropic:claude-sonnet-5\n    key: MY_KEY\n  - model: ollama:qwen3:8b\n'

test('models of the settings stand behind those of the environment, each once, with the key that is named', async () => {
  expect(await specs({ MY_KEY: 'secret' }, listed)).toEqual({
    spec: 'anthropic:claude-sonnet-5',
    key: 'secret',
    keyVariable: 'MY_KEY',
    others: [{ spec: 'ollama:qwen3:8b' }],
  })
  const both = await specs({ AUDITION_LLM: 'ollama:qwen3:8b' }, listed)
  expect(both?.spec).toBe('ollama:qwen3:8b')
  expect(both?.others?.map(({ spec }) => spec)).toEqual(['anthropic:claude-sonnet-5'])
  expect(await specs({}, '')).toBeNull()
})

test('a key in place of the name of its variable is refused, and not repeated', async () => {
  const reading = specs({}, 'models:\n  - model: openai:gpt-5.5\n    key: sk-live-1234567890\n')
  await expect(reading).rejects.toThrow('"models.0.key": write the name of an environment variable')
  await expect(reading).rejects.not.toThrow('sk-live')
})

const several = {
  spec: 'ollama:qwen3:8b',
  others: [
    { spec: 'anthropic:claude-sonnet-5', key: 'k2', keyVariable: 'AUDITION_LLM_KEY_2' },
    { spec: 'anthropic:claude-haiku-4-5', keyVariable: 'AUDITION_LLM_KEY_3' },
    { spec: 'openai:gpt-5.5', keyVariable: 'AUDITION_LLM_KEY_4' },
  ],
}

test('a model without a key has that of its provider', () => {
  expect(configuredModels(several).map(({ key }) => key)).toEqual([undefined, 'k2', 'k2', undefined])
})

test.each([
  { wanted: 'anthropic/claude-haiku-4-5', on: 'anthropic:claude-haiku-4-5', stands: false },
  { wanted: 'anthropic/claude-opus-4-8', on: 'anthropic:claude-opus-4-8', stands: false },
  { wanted: 'google/gemini-3.5-flash', on: 'ollama:qwen3:8b', stands: true },
  { wanted: null, on: 'ollama:qwen3:8b', stands: false },
])('an agent that names $wanted runs on $on', ({ wanted, on, stands }) => {
  const backbone = wanted === null ? null : { name: 'Shown', id: wanted }
  const chosen = backboneModel(backbone, several, 'a/agent')
  expect({ spec: chosen.settings.spec, stands: chosen.stands }).toEqual({ spec: on, stands })
})

test('a model whose key is missing says which variable would hold it, when it is chosen', () => {
  expect(() => backboneModel({ name: 'GPT', id: 'openai/gpt-5.5' }, several, 'a/agent')).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('Set AUDITION_LLM_KEY_4 ') }),
  )
})

test('all of them can be called, with the prices that are stated', () => {
  const { configured } = callableModels(several, { 'claude-sonnet-5': { input: 3, output: 15 } })
  expect(configured.map(({ backbone: { id }, price }) => [id, price?.output])).toEqual([
    ['ollama/qwen3:8b', undefined],
    ['anthropic/claude-sonnet-5', 15],
    ['anthropic/claude-haiku-4-5', undefined],
    ['openai/gpt-5.5', undefined],
  ])
})
