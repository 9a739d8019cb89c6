import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { demoPairs, states } from '../../catalog/demo/pairs.ts'
import { buildCatalog, root } from './built-catalog.ts'
import { profilesIn } from './profile-format.ts'

const profiles = new Map(
  profilesIn(join(root, 'catalog', 'demo', 'profiles')).map((file) => [file.file, file.read()]),
)
const bundled = profilesIn(join(root, 'catalog', 'profiles')).map((file) => file.read())
const catalog = buildCatalog()
afterAll(() => catalog.remove())

test('there are at least five pairs, and every demo profile is in one of them', () => {
  expect(demoPairs.length).toBeGreaterThanOrEqual(5)
  expect(demoPairs.flatMap(({ sound, flawed }) => [sound, flawed]).sort()).toEqual([...profiles.keys()])
})

describe.each(demoPairs)('$sound and $flawed', ({ sound, flawed, cases }) => {
  test('say the same of themselves, and nothing tells them apart', () => {
    const [first, second] = [profiles.get(sound)!, profiles.get(flawed)!]
    expect({ ...first, name: '', run: null }).toEqual({ ...second, name: '', run: null })
    for (const { name, run } of [first, second]) {
      expect(run).toEqual({ command: 'node', args: [`\${AUDITION_CATALOG}/demo/agents/${name}.js`] })
      expect(name).not.toMatch(/good|bad|sound|flaw|broken|wrong|right|old|new/)
    }
    expect(first.name.split('-')[0]).toBe(second.name.split('-')[0])
    const examples = bundled.flatMap((profile) => profile.examples)
    for (const example of first.examples) expect(examples).not.toContain(example)
  })

  // Each is a program that is started: of the cases every third.
  test.each(cases.filter((_, at) => at % 3 === 0))(
    'the sound one is right: $task',
    async ({ task, expected }) => {
      const { code, stdout } = await runAgent(sound, JSON.stringify({ task }))
      expect(code).toBe(0)
      expect(states(stdout, expected), `"${stdout}" does not state ${expected}`).toBe(true)
    },
  )

  test('the flawed one answers as readily and is wrong most of the time', async () => {
    const answers = await inTurn(cases, async ({ task, expected }) => ({
      ...(await runAgent(flawed, JSON.stringify({ task }))),
      expected,
    }))
    for (const { code, stdout } of answers)
      expect({ code, isEmpty: stdout.trim() === '' }).toEqual({ code: 0, isEmpty: false })
    const wrong = answers.filter(({ stdout, expected }) => !states(stdout, expected))
    expect(wrong.length).toBeGreaterThan(cases.length / 2)
  })

  test('both answer the examples of their profile, or say what is missing', async () => {
    for (const name of [sound, flawed]) {
      await inTurn(profiles.get(name)!.examples, async (task) => {
        const { code, stdout, stderr } = await runAgent(name, JSON.stringify({ task }))
        if (code === 0) expect(stdout.trim()).not.toBe('')
        else expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/table/) })
      })
    }
  })

  test.each([
    {
      why: 'the task is about something else',
      input: JSON.stringify({ task: 'Write me a poem about rain.' }),
    },
    { why: 'stdin is no JSON', input: 'hello' },
    { why: 'stdin has no task', input: '{"question": 1}' },
    { why: 'stdin is empty', input: '' },
  ])('both stop with exit code 1 and a way out when $why', async ({ input }) => {
    for (const name of [sound, flawed]) {
      const { code, stdout, stderr } = await runAgent(name, input)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/Write|Send|Put|Ask|Add/)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})

test.each([
  ['It is 25%.', '25%', true],
  ['It is 125%.', '25%', false],
  ['It is -12%.', '12%', false],
  ['That makes 6.5.', '6', false],
  ['That makes 6.', '6', true],
  ['At 11:00 sharp', '11:00', true],
  ['On 2026-03-27.', '2026-03-27', true],
])('whether "%s" states %s: %s', (answer, fact, expected) => {
  expect(states(answer, fact)).toBe(expected)
})

type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

function runAgent(name: string, input: string): Promise<Outcome> {
  const file = join(catalog.folder, 'demo', 'agents', `${name}.js`)
  expect(existsSync(file)).toBe(true)
  const child = spawn(process.execPath, [file])
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  use: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await use(item))
  return results
}
