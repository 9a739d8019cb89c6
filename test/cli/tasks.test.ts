import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { MadeTasks, TasksReport } from '../../src/tasks/make-tasks.ts'
import type { MakeTasksRequest } from '../../src/tasks/request.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'audition-cli-tasks-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
})

const report: TasksReport = {
  kind: 'multi',
  by: 'ollama:tiny',
  targets: 9,
  wanted: 3,
  made: 1,
  dropped: { 'names-a-card': 3, 'not-entailed': 1 },
  drops: [
    ...[1, 2, 3].map(
      (n) => ({ reason: 'names-a-card', of: `a/${n}`, text: `use a_${n}`, why: `it names a/${n}` }) as const,
    ),
    { reason: 'not-entailed', of: 'a/4 + a/5', text: 'half', why: 'it does not ask for: the other half' },
  ],
  statistics: {
    difficulty: { 'hit@1': 0.5, 'hit@5': 0.75, 'mrr@10': 0.6, notFound: 0.125 },
    diversity: { cards: 4, distance: 0.5, distinctPairs: 0.9 },
    overlap: { mean: 0.1, median: 0.09, most: 0.3 },
  },
  entailment: {
    by: 'ollama:tiny',
    reader: 'the built-in reader',
    threshold: 0.65,
    pairs: 8,
    byReader: 7,
    byModel: 6,
    agreement: 0.875,
    kappa: 0.6,
  },
  runs: { judged: 12, none: 2 },
  asked: { answers: 20, kept: 5, tokens: { input: 9000, output: 1000 }, cost: 0.012, seconds: 31.4 },
  notes: ['A note.'],
}
const made = (more: Partial<TasksReport> = {}): MadeTasks => ({
  tasks: [
    {
      id: 'multi-1',
      query: 'do both',
      expected: { 'a/1': 1 },
      kind: 'tool',
      group: 'multi',
      by: 'ollama:tiny',
    },
  ],
  report: { ...report, ...more },
})

const make = (argv: readonly string[], answer: (request: MakeTasksRequest) => Promise<MadeTasks>) =>
  runCaptured(['tasks', 'make', ...argv], scriptedAudition({ makeTasks: answer }), {
    cwd,
    env: { COLUMNS: '200' },
  })

describe('audition tasks make', () => {
  test('says what was made, what was dropped and why, and how easy it is', async () => {
    const { code, stdout, stderr } = await make(['--kind', 'multi'], async () => made())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`1 task (multi) by ollama:tiny, for 9 cards.
Dropped:
  3 names-a-card: it names a card
    a/1 | use a_1 | it names a/1
    a/2 | use a_2 | it names a/2
  1 not-entailed: the merged request does not ask for each of its parts
    a/4 + a/5 | half | it does not ask for: the other half
Difficulty: search has an expected card first in 50%, among five in 75%; MRR@10 0.60; not among a hundred in 13%.
Diversity: 4 cards, mean distance 0.50, 90% of word pairs are different.
Overlap with the cards (ROUGE-L): mean 0.10, median 0.09, most 0.30; ToolRet's queries have 0.06.
Entailment, decided by ollama:tiny: of 8 parts 7 entailed by the built-in reader at 0.65, by the model 6; they agree on 88% (kappa 0.60).
Run: 12 candidates judged, 2 not run or not judged.
Asked: 20 answers for 10,000 tokens, $0.012 in 31 s; 5 kept of before.
A note.

Written to ${join(cwd, 'tasks.jsonl')}. Next: audition evaluate tasks.jsonl
`)
    expect(JSON.parse(readFileSync(join(cwd, 'tasks.jsonl'), 'utf8'))).toEqual(made().tasks[0])
    expect(JSON.parse(readFileSync(join(cwd, 'tasks.jsonl.report.json'), 'utf8'))).toEqual(report)
  })

  test('passes on what was asked for', async () => {
    let asked: MakeTasksRequest = {}
    const argv = [
      'github',
      '--kind',
      'toolret',
      '--count',
      '7',
      '--for',
      'tools',
      '--seed',
      '3',
      '--templates',
    ]
    await make([...argv, '--execute', '--names', '--budget', '60s,0.5usd', '--json'], async (request) => {
      asked = request
      return made()
    })
    expect(asked).toMatchObject({
      of: 'github',
      kind: 'toolret',
      count: 7,
      cardKind: 'tool',
      seed: 3,
      writer: 'templates',
      execute: {},
      names: true,
      budget: { seconds: 60, cost: 0.5 },
    })
    await make(['index'], async (request) => {
      asked = request
      return made()
    })
    expect(asked.of).toBeUndefined()
  })

  test('shows what a model would be asked and for how much, and asks it only where somebody agrees', async () => {
    const estimate = {
      model: 'ollama:tiny',
      host: '127.0.0.1:11434',
      questions: 54,
      tokens: 30_000,
      cost: 0.0321,
    }
    const agreed: boolean[] = []
    const answer = async ({ agree }: MakeTasksRequest) => {
      agreed.push(await agree!(estimate))
      return made()
    }
    const { stderr } = await make([], answer)
    expect(stderr).toContain(
      'About 54 questions of 30,000 tokens would be sent to 127.0.0.1:11434 (ollama:tiny), at most 108 questions of 60,000 tokens. About $0.032.',
    )
    await make(['--yes', '--out', 'other.jsonl'], answer)
    expect(agreed).toEqual([false, true])
  })

  test('a run that ends early writes what was made, and fails', async () => {
    const { code, stdout } = await make([], async () => made({ stopped: 'the budget is spent' }))
    expect(code).toBe(1)
    expect(stdout).toContain('Stopped early: the budget is spent')
    expect(existsSync(join(cwd, 'tasks.jsonl'))).toBe(true)
  })

  test('a run that makes nothing leaves no file, and an earlier set and its report as they were', async () => {
    const nothing = async () => ({ ...made({ made: 0, stopped: 'rubbish' }), tasks: [] })
    const fresh = await make([], nothing)
    expect(fresh.code).toBe(1)
    expect(fresh.stderr).toContain('No task was made, so nothing was written')
    expect(readdirSync(cwd)).toEqual([])
    await make([], async () => made())
    const files = () => readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), 'utf8')] as const)
    const before = files()
    expect(before).toHaveLength(2)
    const failed = await make(['--json'], nothing)
    expect(failed.stderr).toMatch(
      /No task was made: .*tasks\.jsonl stays as it was, .* the 1 task of before\./,
    )
    expect(JSON.parse(failed.stdout).file).toBeNull()
    expect(files()).toEqual(before)
  })

  test('fewer tasks take the place of an earlier set only when the run was not stopped', async () => {
    const [task] = made().tasks
    const two = [task!, { ...task!, id: 'multi-2' }]
    const lines = () => readFileSync(join(cwd, 'tasks.jsonl'), 'utf8').trim().split('\n').length
    await make([], async () => ({ ...made(), tasks: two }))
    const stopped = await make([], async () => made({ stopped: 'the budget is spent' }))
    expect(stopped.stderr).toContain('Stopped after 1 task: ')
    expect(stopped.stdout).not.toContain('Written to')
    expect(lines()).toBe(2)
    await make([], async () => ({ ...made({ stopped: 'the budget is spent' }), tasks: [...two, task!] }))
    expect(lines()).toBe(3)
    await make([], async () => made())
    expect(lines()).toBe(1)
  })

  test('a set that cannot be written leaves nothing half written', async () => {
    mkdirSync(join(cwd, 'tasks.jsonl.report.json'))
    const { code, stdout } = await make([], async () => made())
    expect(code).toBe(1)
    expect(stdout).not.toContain('Written to')
    expect(readdirSync(cwd)).toEqual(['tasks.jsonl.report.json'])
  })

  test('a run that is interrupted writes nothing', async () => {
    const controller = new AbortController()
    const audition = scriptedAudition({
      async makeTasks({ signal }) {
        controller.abort()
        signal!.throwIfAborted()
        return made()
      },
    })
    const { code, stderr } = await runCaptured(['tasks', 'make'], audition, {
      cwd,
      signal: controller.signal,
    })
    expect(code).toBe(130)
    expect(stderr).toContain('The same command goes on where it was.')
    expect(readdirSync(cwd)).toEqual([])
  })

  test('a folder that cannot be written is told before anything is asked', async () => {
    writeFileSync(join(cwd, 'file'), '')
    const { code, stderr } = await make(['--out', join('file', 'tasks.jsonl')], async () => {
      throw new Error('asked all the same')
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/tasks\.jsonl: cannot be written/)
  })

  test('alone says what there is', async () => {
    const { code, stderr } = await runCaptured(['tasks'], scriptedAudition({}))
    expect(code).toBe(2)
    expect(stderr).toContain('audition tasks make')
  })
})
