import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { auditionTasks } from '../../src/cli/ask/audition-tasks.ts'
import { storeFolder } from '../adapters/lancedb/stores.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { runCaptured, type Surroundings } from '../fakes/captured-terminal.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { answerOf, scored } from '../fakes/sample-cards.ts'
import { hangs, scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { modelServer } from '../fakes/model-server.ts'
import { goodAnswer, replyOf, taskQuestion } from '../fakes/task-model.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const jsonl = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n')
const sums = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    query: `What is ${at} and ${at}?`,
    expected: [],
    expect: `${2 * at}`,
  }))

const right = agentCard('team/right')
const wrong = agentCard('team/wrong')
const remote = agentCard('team/remote')
const numberIn = (text: string): number => Number(/\d+/.exec(text)![0])

let count = 0
async function house(executor = calculating()) {
  const probing = scriptedProbing(join(folder, String(count++)), executor)
  await probing.changeAllow({ add: ['command:/bin/right', 'command:/bin/wrong'] })
  const cards = [wrong, right, remote]
  const audition = scriptedAudition({
    cards: async (ids) => cards.filter(({ id }) => ids.includes(id)),
    probing: async () => probing,
    search: async ({ k = 5 }) =>
      answerOf(
        'agent',
        [agentCard('team/listing'), ...cards].slice(0, k).map((card) => scored(card, 1)),
      ),
  })
  const run = (line: readonly string[], surroundings: Surroundings = {}) =>
    runCaptured(['audition', ...line], audition, { env: { COLUMNS: '120' }, ...surroundings })
  return { run, probing, executor }
}

const calculating = () =>
  scriptedExecutor({
    [right.id]: ({ text }) => ({
      answer: `${2 * numberIn(text)}`,
      tokens: { input: 9, output: 1 },
      cost: 0.01,
    }),
    [wrong.id]: () => ({
      answer: 'no idea',
      transcript: [{ at: 0, kind: 'status', text: 'tools not attached: clock', missing: ['clock'] }],
    }),
    [remote.id]: () => ({ answer: 'never' }),
  })

describe('audition audition', () => {
  test('stops when the winner is sure, says how sure, what that saved, what was missing, and what to do', async () => {
    const { run, probing } = await house()
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(30)) }), 'sums.jsonl')
    const { code, stdout, stderr } = await run(['add', 'numbers', '--tasks', tasks])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/1 +team\/right +5\.00 \[\d\.\d\d, 5\.00\] +(\d+) of \1 .*\$0\.0100/)
    expect(stdout).toMatch(/beaten +team\/wrong +1\.00 \[1\.00, \d\.\d\d\] +0 of/)
    expect(stdout).toContain(
      'team/right beats team/wrong on 6 of 6 tasks that both did (0 lost, 0 equal), p = .047.',
    )
    expect(stdout).toContain(
      'team/right wins: with a chance of 95 % it is at most 0.5 of a grade worse than the best.',
    )
    expect(stdout).toMatch(/Stopped early: \d+ of 60 runs were not needed \(7\d %, some \$0\.\d\d\)/)
    expect(stdout).toContain('team/wrong ran without tools that it has where it is used: clock')
    expect(stdout).toContain('Next: audition run team/right "<task>"')
    expect(stdout).toContain('team/remote was not run: not allowed')
    expect(stderr).toContain('Not a candidate: team/listing:')
    expect(probing.record.added.length).toBeLessThan(20)
  })

  test('as JSON, with every run', async () => {
    const { run, probing } = await house()
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(30)) }), 'sums.jsonl')
    const { code, stdout } = await run([
      '--candidates',
      `${right.id},${wrong.id}`,
      '--tasks',
      tasks,
      '--json',
    ])
    const report = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(report).toMatchObject({
      winner: right.id,
      indifference: 0.5,
      risk: 0.05,
      stopped: null,
      left: 0,
      candidates: [
        { card: right.id, standing: 'won', againstFirst: null, costPerSuccess: 0.01, missing: [] },
        {
          card: wrong.id,
          standing: 'beaten',
          againstFirst: { won: 6, lost: 0, equal: 0 },
          missing: ['clock'],
        },
      ],
      next: 'audition run team/right "<task>"',
    })
    expect(report.runs + report.spared).toBe(60)
    expect(report.runs).toBe(probing.record.added.length)
  })

  test('--simulate leaves the track record alone, and says so', async () => {
    const { probing } = await house()
    const audition = scriptedAudition({
      cards: async () => [right, wrong],
      probing: async () => {
        throw new Error('the real one is not wanted')
      },
      simulatedProbing: async () => probing,
    })
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(3)) }), 'sums.jsonl')
    const line = ['audition', '--candidates', `${right.id},${wrong.id}`, '--tasks', tasks, '--simulate']
    const { code, stdout } = await runCaptured(line, audition)
    expect(code).toBe(0)
    expect(stdout).toContain('nothing of this is in the track record')
  })

  test('too few tasks are no proof', async () => {
    const { run } = await house()
    const tasks = join(folderWith({ 'sums.txt': 'What is 2 and 2?\nWhat is 3 and 3?\n' }), 'sums.txt')
    const { stdout } = await run(['--candidates', `${right.id},${wrong.id}`, '--tasks', tasks])
    expect(stdout).not.toContain('wins')
    expect(stdout).not.toContain('Stopped early')
  })

  test('a near-copy competes in place of one that cannot run, else where a place is free, and is told', async () => {
    const { probing } = await house()
    const listing = agentCard('team/listing')
    const found = (folded: Record<string, string[]>, ids: string[]) =>
      scriptedAudition({
        cards: async (wanted) => [wrong, right, remote].filter(({ id }) => wanted.includes(id)),
        probing: async () => probing,
        search: async () =>
          answerOf(
            'agent',
            [listing, wrong, remote]
              .filter(({ id }) => ids.includes(id))
              .map((card) => scored(card, 1, { duplicates: folded[card.id] ?? [] })),
          ),
      })
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(2)) }), 'sums.jsonl')
    const audition = (folded: Record<string, string[]>, ids: string[]) =>
      runCaptured(
        ['audition', 'add', '--tasks', tasks, '--candidates', '2', '--dry-run', '--json'],
        found(folded, ids),
      ).then(({ stdout, stderr }) => ({
        taken: JSON.parse(stdout).candidates.map(({ card }: { card: string }) => card),
        stderr,
      }))
    const stood = await audition({ [listing.id]: [right.id] }, [listing.id, wrong.id])
    expect(stood.taken).toEqual([right.id, wrong.id])
    expect(stood.stderr).toContain('In its place: team/right, a near-copy.')
    const before = await audition({ [remote.id]: [right.id] }, [remote.id, wrong.id])
    expect(before.taken).toEqual([wrong.id, right.id]) // it runs as it is, the original needs leave
    const free = await audition({ [wrong.id]: [right.id] }, [wrong.id])
    expect(free.taken).toEqual([wrong.id, right.id])
    const full = await audition({ [wrong.id]: [right.id] }, [wrong.id, remote.id])
    expect(full.taken).toEqual([wrong.id, remote.id])
    expect(full.stderr).toContain(
      'Not a candidate: team/right, a near-copy of team/wrong: the places are taken.',
    )
  })

  test.each([{ line: ['--candidates', 'team/right'] }, { line: ['--candidates', 'team/right,team/remote'] }])(
    '$line: nobody to compare with is told, and what helps',
    async ({ line }) => {
      const { run } = await house()
      const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(3)) }), 'sums.jsonl')
      const { stdout, stderr } = await run([...line, '--tasks', tasks])
      expect(stderr).toContain('team/right has nobody to be compared with')
      expect(stdout).toContain('Next: a second candidate, to compare')
      expect(stdout).not.toContain('more tasks')
    },
  )

  test('a dry run starts nothing', async () => {
    const { run, executor } = await house()
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(4)) }), 'sums.jsonl')
    const { code, stdout } = await run(['add', '--tasks', tasks, '--candidates', '2', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('would start: /bin/wrong')
    expect(stdout).toContain('8 runs at most.')
    expect(executor.started).toEqual([])
  })

  test('a dry run on tasks that are made names the model, and about how many runs', async () => {
    const { run, executor } = await house()
    const line = ['add', '--tasks', 'make', '--candidates', '2', '--dry-run']
    const { stdout } = await run(line, { env: { COLUMNS: '120', AUDITION_LLM: 'ollama:tiny' } })
    expect(stdout).toContain('ollama:tiny will be asked to write 20 tasks')
    expect(stdout).toContain('40 runs at most.')
    expect((await run(line)).stdout).toContain('No model is set')
    expect(executor.started).toEqual([])
  })

  test('who has no grade has no rank, and nobody is called near without proof', async () => {
    const { run } = await house()
    const rows = sums(3).map(({ query, expected }) => ({ query, expected }))
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(rows) }), 'sums.jsonl')
    const { stdout } = await run(['add', '--tasks', tasks])
    expect(stdout).toMatch(/^– +team\/right +– +–/m)
    expect(stdout).not.toContain('As good, or nearly')
  })

  test('who may yet be as good is not called so', async () => {
    const sometimes = scriptedExecutor({
      [right.id]: ({ text }) => ({ answer: `${2 * numberIn(text)}` }),
      [wrong.id]: ({ text }) => ({ answer: numberIn(text) % 3 === 0 ? 'no idea' : `${2 * numberIn(text)}` }),
    })
    const { run } = await house(sometimes)
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(30)) }), 'sums.jsonl')
    const { stdout } = await run(['--candidates', `${right.id},${wrong.id}`, '--tasks', tasks])
    expect(stdout).toContain('team/right wins')
    expect(stdout).toContain('Not yet shown to be worse: team/wrong.')
    expect(stdout).toContain('team/right is ahead of team/wrong on')
    expect(stdout).not.toContain('beats')
  })

  test('Ctrl-C keeps what ended', async () => {
    const stop = new AbortController()
    let runs = 0
    const { run, probing } = await house(
      scriptedExecutor({
        [right.id]: ({ text }, how) => {
          runs += 1
          if (runs <= 3) return { answer: `${2 * numberIn(text)}` }
          stop.abort()
          return hangs({ text }, how)
        },
        [wrong.id]: () => ({ answer: 'no idea' }),
      }),
    )
    const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(30)) }), 'sums.jsonl')
    const { code, stdout } = await run(['--candidates', `${right.id},${wrong.id}`, '--tasks', tasks], {
      signal: stop.signal,
    })
    expect(code).toBe(130)
    expect(stdout).toContain('Stopped: ')
    expect(probing.record.added.length).toBeGreaterThanOrEqual(6)
  })

  test.each([
    { line: [], says: 'Say the job in plain words' },
    { line: ['add'], says: 'Give --tasks and a file' },
    { line: ['add', '--tasks', 'make', '--tools'], says: 'Tools are called with arguments' },
    { line: ['--candidates', 'team/right', '--tasks', 'make'], says: 'for a job' },
    { line: ['--candidates', 'team/right,team/right', '--tasks', 'x'], says: 'names "team/right" twice' },
    { line: ['add', '--candidates', '1', '--tasks', 'x'], says: 'a number from 2 to 20' },
  ])('$line is no call', async ({ line, says }) => {
    const { run } = await house()
    const { code, stderr } = await run(line)
    expect(code).toBe(2)
    expect(stderr).toContain(says)
  })
})

describe('a file of tasks', () => {
  const read = (text: string, kind: 'tool' | 'agent' = 'agent', name = 'tasks.jsonl') =>
    auditionTasks(join(folderWith({ [name]: text }), name), kind)

  test('gives each task once, with what a right answer has, in an order of its own', () => {
    const rows = [
      ...sums(20),
      { query: 'Count', expected: [], expect: 3, kind: 'agent' },
      { query: 'Look up', expected: [], kind: 'tool' },
      { query: 'List', expected: [], expect: { kind: 'set', items: ['a'] }, golden: 'a' },
      { query: 'Count', expected: [], expect: 3 },
    ]
    const tasks = read(jsonl(rows))
    expect(tasks).toHaveLength(22)
    expect(tasks).toContainEqual({ text: 'Count', reference: { kind: 'number', value: 3 } })
    expect(tasks).toContainEqual({ text: 'List', reference: { kind: 'set', items: ['a'] }, golden: 'a' })
    expect(tasks).toEqual(read(jsonl(rows)))
    expect(tasks.map(({ text }) => text)).not.toEqual(rows.slice(0, 22).map(({ query }) => query))
  })

  test('of CSV too, with the arguments of tools', () => {
    const text = 'query,expected,expect,arguments\nadd,,5,"{""a"": 2}"\n'
    expect(read(text, 'tool', 'tasks.csv')).toEqual([
      { text: 'add', arguments: { a: 2 }, reference: { kind: 'states', text: '5' } },
    ])
  })

  test('of CSV without a column "expected", as of JSON Lines', () => {
    expect(read('query,expect\nadd,5\n', 'agent', 'tasks.csv')).toEqual([
      { text: 'add', reference: { kind: 'states', text: '5' } },
    ])
  })

  const path = { kind: 'json-path', path: '$.sum', value: 5 }
  test.each([
    {
      why: 'a tool answers with structure',
      kind: 'tool',
      row: { reference: path, expect: '5' },
      is: { reference: path },
    },
    {
      why: 'an agent answers in words',
      kind: 'agent',
      row: { reference: path, expect: '5', by: 'templates' },
      is: { reference: { kind: 'states', text: '5' } },
    },
    {
      why: 'what a model wrote is shown to the judge',
      kind: 'agent',
      row: { expect: 'Five.', by: 'm' },
      is: { golden: 'Five.' },
    },
  ] as const)('$why', ({ kind, row, is }) => {
    expect(read(JSON.stringify({ query: 'add', expected: { 'a/b': 1 }, ...row }), kind)).toEqual([
      { text: 'add', ...is },
    ])
  })

  test.each([
    { row: { query: ' ', expected: [] }, says: 'record 1: the row has no "query"' },
    { row: { query: 'x', expected: [], arguments: [1] }, says: 'record 1: "arguments" is no JSON object' },
    { row: { query: 'x', expected: [], expect: { kind: 'guess' } }, says: 'record 1: "expect" is no' },
    { row: { query: 'x', expected: [], kind: 'tool' }, says: 'no task for agents is in it' },
  ])('$says', ({ row, says }) => {
    expect(() => read(JSON.stringify(row))).toThrow(says)
  })
})

test('tools that some task has no arguments for are not compared', async () => {
  const tool = toolCard('team/add', { parameters: [{ name: 'a', description: '', required: true }] })
  const probing = scriptedProbing(join(folder, String(count++)), scriptedExecutor({ [tool.id]: () => ({}) }))
  const audition = scriptedAudition({ cards: async () => [tool], probing: async () => probing })
  const tasks = join(folderWith({ 'sums.jsonl': jsonl(sums(2)) }), 'sums.jsonl')
  const line = ['audition', '--candidates', tool.id, '--tasks', tasks]
  const { code, stderr } = await runCaptured(line, audition)
  expect(code).toBe(1)
  expect(stderr).toContain('2 of 2 tasks have no "arguments" to call it with')
  await probing.changeAllow({ add: ['mcp:*', 'command:*'] })
  const found = scriptedAudition({
    probing: async () => probing,
    search: async () => answerOf('tool', [scored(tool, 1)]),
  })
  const searched = await runCaptured(['audition', 'add', '--tools', '--tasks', tasks], found)
  expect(searched.code).toBe(1)
  expect(searched.stderr).toContain('The tasks have no "arguments"')
})

/** Obeys what it is told to be: a system prompt, else the skill that lies in its folder. */
const claude = `#!/usr/bin/env node
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const words = process.argv.slice(2)
const folder = '.claude/skills'
const told = words.find((word) => word.startsWith('--system-prompt=')) ??
  (existsSync(folder) ? readFileSync(folder + '/' + readdirSync(folder)[0] + '/SKILL.md', 'utf8') : '')
const [a, b] = readFileSync(0, 'utf8').match(/\\d+/g).map(Number)
const isTold = words.includes('--append-system-prompt=Do the task with the skill "product".')
const result = told.includes('multiply') && isTold ? a * b : a + b
console.log(JSON.stringify({ type: 'result', result: 'It is ' + result, total_cost_usd: 0.002, usage: { input_tokens: 5, output_tokens: 2 } }))
`

test.skipIf(process.platform === 'win32')(
  'a skill and a sub-agent run in Claude Code, as they would be used',
  async () => {
    const home = folderWith({
      'bin/claude': claude,
      'agents/.claude/skills/product/SKILL.md':
        '---\nname: product\ndescription: Multiplies two numbers\n---\nAlways multiply.\n',
      'agents/.claude/skills/product/notes.md': 'Carry the tens.\n',
      'agents/.claude/agents/adder.md':
        '---\nname: adder\ndescription: Multiplies or adds two numbers\ntools: Read, mcp__clock__now\n---\nAlways add.\n',
      'tasks.jsonl': jsonl(
        Array.from({ length: 25 }, (_, at) => ({
          query: `Multiply ${at + 3} by ${at + 4}`,
          expected: [],
          expect: `${(at + 3) * (at + 4)}`,
        })),
      ),
      'settings.yaml': 'allow: ["skill:*", "subagent:*", "command:*"]\nhostSeconds: 0\n',
    })
    chmodSync(join(home, 'bin/claude'), 0o755)
    const audition = openAudition(
      configFrom({
        AUDITION_READER: 'none',
        AUDITION_HOME: storeFolder(),
        AUDITION_SETTINGS: join(home, 'settings.yaml'),
        PATH: [join(home, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      }),
    )
    onTestFinished(() => audition.close())
    await audition.index({ locations: [join(home, 'agents')] })
    const line = ['audition', 'multiply two numbers', '--tasks', join(home, 'tasks.jsonl'), '--json']
    const { code, stdout, stderr } = await runCaptured(line, audition)
    expect(code, stderr).toBe(0)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      candidates: [
        {
          card: expect.stringContaining('product'),
          standing: 'won',
          missing: [],
          tokens: expect.any(Number),
        },
        {
          card: expect.stringContaining('adder'),
          standing: 'beaten',
          worked: 0,
          missing: ['mcp__clock__now'],
        },
      ],
      next: expect.stringMatching(/^audition hire .*product$/),
    })
    expect(report.spared).toBeGreaterThan(25)
    const outcomes = await (await audition.record()).list()
    expect(outcomes).toHaveLength(report.runs)
    expect(new Set(outcomes.map(({ executor }) => executor))).toEqual(
      new Set(['claude-skill', 'claude-subagent']),
    )
  },
)

test('--tasks make: tasks of the job for its candidates, within the budget, and paid for once', {
  timeout: 60_000,
}, async () => {
  const agent = (name: string, word: string) =>
    [
      'profile: audition/v1',
      `name: ${name}`,
      `description: Answers letters of guests in the ${word} way`,
      `run:\n  command: ${JSON.stringify(process.execPath)}`,
      `  args: ["-e", "process.stdin.on('data', (d) => console.log('${word} ' + d))"]`,
    ].join('\n')
  const home = folderWith({
    'agents/porter.yaml': agent('porter', 'kind'),
    'agents/waiter.yaml': agent('waiter', 'short'),
    'settings.yaml': 'allow: ["command:*"]\nhostSeconds: 0\n',
  })
  const jobs = new Set<string>()
  const model = await modelServer((request) => {
    const [{ content = '' } = {}] = request.body.messages as { content?: string }[]
    if (String(content).startsWith('You grade')) {
      const said = JSON.stringify(request.body.messages)
      const [asked, answered, ...others] = [...said.matchAll(/guest number (\d+)/g)].map(
        ([, number]) => number,
      )
      const grade = said.includes('| kind ') && asked === answered && others.length === 0 ? '5' : '1'
      return { text: JSON.stringify({ reasoning: 'So it is.', grade }), tokens: { input: 50, output: 5 } }
    }
    const question = taskQuestion(request)
    if (question.kind === 'write') jobs.add(question.shown[0]!)
    return question.kind === 'write'
      ? replyOf({
          task: `Thank guest number ${request.turn} for ${'abcdefghijklmnop'[request.turn % 16]!.repeat(6)} and ${request.turn ** 3}`,
          arguments: null,
          expect: null,
        })
      : replyOf(goodAnswer(question))
  })
  onTestFinished(() => model.close())
  const env = { AUDITION_LLM: model.spec('openai-compatible'), COLUMNS: '120' }
  const audition = openAudition(
    configFrom({
      AUDITION_READER: 'none',
      AUDITION_HOME: storeFolder(),
      AUDITION_LLM: env.AUDITION_LLM,
      AUDITION_SETTINGS: join(home, 'settings.yaml'),
      PATH: process.env.PATH,
    }),
  )
  onTestFinished(() => audition.close())
  await audition.index({
    locations: ['porter', 'waiter'].map((name) => join(home, 'agents', `${name}.yaml`)),
  })
  const asked = ['audition', 'answer letters of guests', '--tasks', 'make', '--count', '8']
  const refused = await runCaptured(asked, audition, { env })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody agreed to that') })
  expect(refused.stderr).toContain('Add --yes to send them, or give --tasks and a file.')
  expect(model.requests).toEqual([])
  const line = [...asked.slice(0, 2), '--yes', ...asked.slice(2)]
  const first = await runCaptured(line, audition, { env })
  expect(first.code, first.stderr).toBe(0)
  expect(first.stderr).toMatch(/About \d+ questions of [\d,]+ tokens would be sent to 127\.0\.0\.1/)
  expect(first.stderr).toContain('8 tasks made, 0 dropped.')
  expect(first.stdout).toMatch(/porter wins/)
  expect(first.stdout).toMatch(
    /Took .* s\.\nThat is the candidates' runs alone\.\nTo write the tasks: \d+ answers for [\d,]+ tokens in /,
  )
  expect(first.stdout).toMatch(/What grading took is not counted \(.+\)\./)
  expect([...jobs]).toEqual(['answer letters of guests'])
  const outcomes = await (await audition.record()).list()
  expect(outcomes.every(({ task }) => task.startsWith('Thank guest number'))).toBe(true)
  const written = () =>
    model.requests.filter((one) => JSON.stringify(one.body).includes('You write tasks')).length
  const paid = written()
  const again = await runCaptured([...line, '--json'], audition, { env })
  expect(JSON.parse(again.stdout).writing).toMatchObject({ answers: 0, tokens: { input: 0, output: 0 } })
  expect(written()).toBe(paid)

  const budget = ['--budget', '900tokens']
  const fewer = await runCaptured([...line.slice(0, -1), '9', ...budget], audition, { env })
  expect(fewer.stderr).toContain('8 tasks made, 0 dropped. Stopped early: the budget is spent')
  const spent = await runCaptured(['audition', 'letters', ...line.slice(2), ...budget], audition, { env })
  expect(spent).toMatchObject({ code: 1, stderr: expect.stringContaining('The model made 0 tasks of 8') })
  await (await audition.probing()).changeAllow({ remove: ['command:*'] })
  const before = model.requests.length
  const held = await runCaptured(['audition', 'guests', ...line.slice(2)], audition, { env })
  expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining('was not run: not allowed') })
  expect(model.requests.length).toBe(before)
  await (await audition.probing()).changeAllow({ add: ['command:*'] })
  const none = await runCaptured(line, audition, { env: { COLUMNS: '120' } })
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Set AUDITION_LLM') })
})
