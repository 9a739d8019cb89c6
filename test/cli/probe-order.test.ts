import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { AnswerComparer } from '../../src/probing/ports.ts'
import type { SearchRequest } from '../../src/retrieval/answer.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { agentCard } from '../fakes/fake-audition.ts'
import { answerOf, scored } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-order-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
/** Agents by rank; each answers what is given for it, and those without an answer are not allowed. */
async function house(
  answers: { readonly [rank: number]: string },
  ranked = 15,
  comparer: AnswerComparer | null = null,
) {
  const cards = Array.from({ length: ranked }, (_, at) => agentCard(`team/agent-${at + 1}`))
  const executor = scriptedExecutor(
    Object.fromEntries(
      cards.map((card, at) => [
        card.id,
        () => ({ answer: answers[at + 1] ?? 'never', tokens: { input: 5, output: 5 } }),
      ]),
    ),
  )
  const probing = scriptedProbing(join(folder, String(count++)), executor)
  await probing.changeAllow({ add: Object.keys(answers).map((rank) => `command:/bin/agent-${rank}`) })
  const searches: SearchRequest[] = []
  const audition = scriptedAudition({
    probing: async () => probing,
    comparer: async () => comparer,
    search: async (request) => {
      searches.push(request)
      return answerOf(
        'agent',
        cards.slice(0, request.k).map((card, at) => scored(card, 1 - at / 100)),
      )
    },
  })
  const run = (...words: readonly string[]) =>
    runCaptured(['probe', ...words], audition, { env: { COLUMNS: '110' } })
  return { run, searches, executor, probing }
}

/** Longer is better. */
const byLength: AnswerComparer = {
  name: 'test:ruler',
  compare: async (_, texts) =>
    texts.map((text) => texts.filter((other) => other.length > text.length).length + 1),
}
const right = { 1: 'It is 42.', 4: 'I do not know.', 7: 'It is 42!', 10: 'No.', 13: 'Perhaps 41.' }

describe('audition probe --compare-order', () => {
  test('runs ranks 1, 4, 7, 10 and 13, orders them by grade, and says how far search agrees', async () => {
    const { run, searches, executor } = await house(right)
    const { code, stdout, stderr } = await run('--compare-order', 'the answer', '--expect', '42')
    expect(code, stderr).toBe(0)
    expect(searches).toEqual([
      {
        kind: 'agent',
        query: 'the answer',
        k: 13,
        pack: 'ranking',
        filter: { hasRuntime: true, agentKinds: ['profile', 'a2a', 'subagent'] },
      },
    ])
    expect(executor.started.map((line) => line.split(':')[0]).sort()).toEqual([
      'team/agent-1',
      'team/agent-10',
      'team/agent-13',
      'team/agent-4',
      'team/agent-7',
    ])
    expect(stdout).toMatch(
      / +1 +team\/agent-1 +5 +1\.5\n +4 +team\/agent-4 +1 +4\n +7 +team\/agent-7 +5 +1\.5/,
    )
    expect(stdout).toMatch(/top-1 agreement +1\.000 +0\.400 +0\.364 +0\.236/)
    expect(stdout).toContain("Spearman's rho")
    expect(stdout).not.toContain('-0.000')
    expect(stdout).toContain('Equal grades stay equal: set AUDITION_LLM')
  })

  test('equal grades are ordered by a model that compares the answers', async () => {
    const { run } = await house(right, 15, byLength)
    const { stdout } = await run('--compare-order', 'the answer', '--expect', '42', '--json')
    const { tasks, comparer, ranked, random, published } = JSON.parse(stdout)
    expect(comparer).toBe('test:ruler')
    expect(tasks[0].candidates.map(({ place }: { place: number }) => place)).toEqual([1.5, 3, 1.5, 5, 4])
    expect(ranked.kendall.mean).toBeGreaterThan(0)
    expect(random.spearman).toBeCloseTo(0)
    expect(published.ranked['ndcg@5']).toBe(0.907)
  })

  test('without grades the model orders all of them', async () => {
    const { run } = await house(right, 15, byLength)
    const { code, stdout } = await run('--compare-order', 'the answer', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).tasks[0].candidates.map(({ place }: { place: number }) => place)).toEqual([
      3.5, 1, 3.5, 5, 2,
    ])
  })

  test('fewer candidates are compared as they are, and what may not start is told', async () => {
    const { run } = await house({ 1: 'No.', 4: '42' }, 8)
    const { code, stdout } = await run('--compare-order', 'the answer', '--expect', '42')
    expect(code).toBe(0)
    expect(stdout).toContain('team/agent-7 was not run: not allowed')
    expect(stdout).toMatch(/top-1 agreement +0\.000 +0\.500/)
  })

  test.each([
    {
      why: 'one candidate',
      answers: { 1: '42' },
      words: ['--expect', '42'],
      said: '1 of 5 candidates were run: two are needed',
    },
    {
      why: 'answers of the same worth',
      answers: { 1: '42', 4: '42' },
      words: ['--expect', '42'],
      said: 'all answers are worth the same',
    },
    { why: 'nobody to grade', answers: { 1: 'a', 4: 'b' }, words: [], said: 'nobody graded the answers' },
  ])('a task with $why does not count', async ({ answers, words, said }) => {
    const { run } = await house(answers)
    const { code, stdout } = await run('--compare-order', 'the answer', ...words)
    expect(code).toBe(1)
    expect(stdout).toContain(`Left out: ${said}`)
    expect(stdout).not.toContain('top-1')
  })

  test('tasks of a file have means with intervals, and one budget', async () => {
    const file = join(folder, 'tasks.txt')
    writeFileSync(file, '# three\nthe answer\n\nanother answer\na third one\n')
    const { run } = await house(right, 15, byLength)
    const { stdout } = await run('--compare-order', '--tasks', file)
    expect(stdout).toMatch(/over 3 tasks[\s\S]*top-1 agreement +\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]/)
    const cut = await run('--compare-order', '--tasks', file, '--budget', '12tokens', '--json')
    const { stopped, tasks } = JSON.parse(cut.stdout)
    expect(stopped).toBe('tokens or cost')
    expect(tasks.length).toBeLessThan(3)
  })

  test('all tasks are ranked before anything runs, so that outcomes on one move no ranks of another', async () => {
    const file = join(folder, 'two.txt')
    writeFileSync(file, 'the answer\nanother answer\n')
    const { run, searches, executor } = await house(right, 15, byLength)
    const startedBefore: number[] = []
    const push = searches.push.bind(searches)
    searches.push = (...added) => {
      startedBefore.push(executor.started.length)
      return push(...added)
    }
    await run('--compare-order', '--tasks', file)
    expect(startedBefore).toEqual([0, 0])
    expect(executor.started).toHaveLength(10)
  })

  test('an order that the model gives and nobody can read is told as such', async () => {
    const { run } = await house(right, 15, { name: 'test:mute', compare: async () => null })
    const { code, stdout } = await run('--compare-order', 'the answer')
    expect(code).toBe(1)
    expect(stdout).toContain('Left out: the answers have one grade, and the model gave no order of them')
  })

  test('a dry run starts nothing', async () => {
    const { run, executor } = await house(right)
    const { code, stdout } = await run('--compare-order', 'the answer', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('team/agent-13')
    expect(executor.started).toEqual([])
  })

  test.each([
    {
      why: 'no task',
      words: ['--compare-order'],
      said: 'takes one task in plain words, or --tasks and a file',
    },
    { why: 'a file alone', words: ['--tasks', 'x'], said: '--tasks goes with --compare-order' },
    { why: 'another choice of candidates', words: ['--compare-order', 'x', '--top', '3'], said: 'alone' },
    { why: 'no words at all', words: [], said: 'Name an agent' },
  ])('$why is wrong usage', async ({ words, said }) => {
    const { run } = await house({})
    const { code, stderr } = await run(...words)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  test('a file without tasks says what to write', async () => {
    const file = join(folder, 'empty.txt')
    writeFileSync(file, '# nothing\n')
    const { run } = await house({})
    expect((await run('--compare-order', '--tasks', file)).stderr).toContain('no task is in it.')
    expect((await run('--compare-order', '--tasks', `${file}.none`)).stderr).toContain(
      'cannot be read (ENOENT)',
    )
  })
})
