import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { folderWith, temporaryFolder } from '../catalog/temporary-folder.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { someOutcomes } from '../fakes/some-model-outcomes.ts'

test('a table of outcomes and a list of prices tell which model to take, from the command line', async () => {
  const home = temporaryFolder()
  const folder = folderWith({
    'outcomes.jsonl': someOutcomes,
    'prices.jsonl':
      '{"id":"acme/big","name":"Big","price_in_per_m":2,"price_out_per_m":4}\n{"id":"acme/bad","price_in_per_m":-1}',
  })
  const run = (...argv: readonly string[]) =>
    runCaptured(
      argv,
      openAudition(
        configFrom({
          AUDITION_READER: 'none',
          AUDITION_HOME: home,
          AUDITION_LLM: 'ollama:small',
          AUDITION_SETTINGS: join(home, 'settings.yaml'),
        }),
      ),
    )
  const indexed = await run('index', folder)
  expect(indexed.code).toBe(0)
  expect(indexed.stdout).toContain('outcomes of 40 tasks')
  expect(indexed.stdout).toContain('prices.jsonl line 2, price_in_per_m: it is no price')

  const { code, stdout } = await run('models', 'write a function that sorts words', '--price-weight', '1')
  expect(code).toBe(0)
  expect(stdout).toContain('2 of 2, best first; 2 models known, outcomes of 40 tasks')
  expect(stdout).toMatch(/acme\/big .* 3\.00 .*\n.*ollama\/small .* be called/)
  expect(stdout).toContain('acme/big, nearest tasks: write a function that sorts words 100.0;')

  const json = JSON.parse((await run('models', '--json', '--callable', 'who painted it?')).stdout)
  expect(json).toMatchObject({ task: 'who painted it?', priceWeight: 1, tasks: 40 })
  expect(json.models).toMatchObject([{ id: 'ollama/small', callable: true, outcomes: 40 }])
  expect((await run('models', '--all', '--budget', '1')).stdout).toContain('No model is left.')
})

test('nothing known says what to do', async () => {
  const { code, stdout } = await runCaptured(['models'], scriptedAudition({}))
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^No model is known\. Set AUDITION_LLM/),
  })
})

test.each([
  { argv: ['--callable', '--all'], says: 'Give --callable or --all.' },
  { argv: [' '], says: 'The task is empty.' },
  { argv: ['--budget', 'cheap'], says: 'Give a number from 0' },
])('a call that makes no sense is refused: $argv', async ({ argv, says }) => {
  const { code, stderr } = await runCaptured(['models', ...argv], scriptedAudition({}))
  expect(code).toBe(2)
  expect(stderr).toContain(says)
})
