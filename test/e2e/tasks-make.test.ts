import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GeneratedTask } from '../../src/tasks/generated-task.ts'
import type { TasksReport } from '../../src/tasks/make-tasks.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'
import { type ModelServer, modelServer } from '../fakes/model-server.ts'
import { goodAnswer, replyOf, taskQuestion } from '../fakes/task-model.ts'

let main: string
let folder: string
let work: string
let model: ModelServer
/** Called with the number of requests so far, before each is answered. */
let onRequest: (count: number) => void = () => {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audition-tasks-make-'))
  main = (await compiledPackage()).main
  model = await modelServer((request) => {
    onRequest(request.turn + 1)
    return replyOf(goodAnswer(taskQuestion(request)))
  })
  await run('index', 'bundled')
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  work = mkdtempSync(join(folder, 'work-'))
  onRequest = () => {}
})

const environment = (own: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env.PATH,
  HOME: folder,
  AUDITION_HOME: join(folder, 'home'),
  NO_COLOR: '1',
  AUDITION_READER: 'none',
  ...own,
})
const withModel = () => environment({ AUDITION_LLM: model.spec('openai-compatible') })

function run(...argv: readonly string[]) {
  return runIn(environment(), ...argv)
}

function runIn(env: NodeJS.ProcessEnv, ...argv: readonly string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [main, ...argv], { cwd: work ?? folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

const tasksIn = (file: string): readonly GeneratedTask[] =>
  readFileSync(join(work, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('audition tasks make', () => {
  test('without a model, then audition evaluate over its file', async () => {
    const made = await run('tasks', 'make', '--count', '25', '--json')
    expect(made.code, made.stderr).toBe(0)
    const report = JSON.parse(made.stdout) as TasksReport & { readonly file: string }
    expect(report).toMatchObject({ kind: 'single', by: 'templates', made: 25, targets: 135 })
    expect(JSON.parse(readFileSync(join(work, 'tasks.jsonl.report.json'), 'utf8'))).toMatchObject({
      made: 25,
    })
    expect(tasksIn('tasks.jsonl')).toHaveLength(25)
    const evaluated = await run('evaluate', 'tasks.jsonl', '--json')
    expect(evaluated.code, evaluated.stderr).toBe(0)
    const { queries, dataset } = JSON.parse(evaluated.stdout)
    expect(queries).toBe(25)
    expect(JSON.stringify(dataset.notes)).not.toContain('not in the index')
  })

  test('of several parts, and of instructions, which evaluate reads too', async () => {
    await run('tasks', 'make', '--kind', 'multi', '--for', 'tools', '--count', '5', '--out', 'multi.jsonl')
    expect(tasksIn('multi.jsonl').every(({ parts, needs }) => parts!.length === needs!.length)).toBe(true)
    await run(
      'tasks',
      'make',
      '--kind',
      'toolret',
      '--for',
      'tools',
      '--count',
      '5',
      '--out',
      'toolret.jsonl',
    )
    const [first] = tasksIn('toolret.jsonl')
    expect(first).toMatchObject({ instruction: expect.stringMatching(/^Given an? /), targetInView: true })
    for (const argv of [['multi.jsonl'], ['toolret.jsonl', '--with-instruction']]) {
      const { code, stdout, stderr } = await run('evaluate', ...argv, '--json')
      expect(code, stderr).toBe(0)
      expect(JSON.parse(stdout).queries).toBeGreaterThan(0)
    }
  })

  test('runs candidates of the bundled catalog, and expects those that solved the task', async () => {
    const argv = ['audition-arithmetic', '--for', 'tools', '--execute', '--count', '4', '--json']
    const { code, stdout, stderr } = await run('tasks', 'make', ...argv)
    expect(code, stderr).toBe(0)
    const report = JSON.parse(stdout) as TasksReport
    expect(report.made).toBe(4)
    expect(report.runs!.judged).toBeGreaterThanOrEqual(4)
    // What was run is not run again.
    const again = JSON.parse((await run('tasks', 'make', ...argv)).stdout) as TasksReport
    expect(again.runs).toEqual(report.runs)
    const outcomes = JSON.parse((await run('record', '--json')).stdout) as {
      readonly cards: readonly { readonly runs: number }[]
    }
    expect(outcomes.cards.reduce((sum, { runs }) => sum + runs, 0)).toBeLessThanOrEqual(report.runs!.judged)
  })

  test('nothing is sent to a model where nobody agrees, and a file of somebody else is not written over', async () => {
    const before = model.requests.length
    const refused = await runIn(withModel(), 'tasks', 'make')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody agreed') })
    expect(refused.stderr).toMatch(/About \d+ questions of [\d,]+ tokens would be sent to 127\.0\.0\.1/)
    expect(model.requests.length).toBe(before)
    writeFileSync(join(work, 'tasks.jsonl'), 'mine')
    const kept = await run('tasks', 'make')
    expect(kept).toMatchObject({ code: 1, stderr: expect.stringContaining('Name another') })
    expect(readFileSync(join(work, 'tasks.jsonl'), 'utf8')).toBe('mine')
  })
})

describe('a run with a model that ends early', () => {
  const argv = ['tasks', 'make', 'catalog-profiles', '--count', '12', '--yes', '--json', '--seed']

  /** Starts it, and gives it a signal as its model is asked the so-manyth time. */
  async function stopped(seed: string, at: number, signal: NodeJS.Signals) {
    const child = spawn(process.execPath, [main, ...argv, seed], { cwd: work, env: withModel() })
    const before = model.requests.length
    onRequest = (count) => {
      if (count === before + at) child.kill(signal)
    }
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk)
    })
    const [code] = await once(child, 'close')
    onRequest = () => {}
    return { code, stderr, asked: model.requests.length - before }
  }

  test.each([
    { signal: 'SIGKILL', seed: '11', code: null },
    { signal: 'SIGINT', seed: '12', code: 130 },
  ] as const)(
    'by $signal goes on where it was, and pays for no answer twice',
    async ({ signal, seed, code }) => {
      const first = await stopped(seed, 15, signal)
      expect(first.code).toBe(code)
      if (signal === 'SIGINT') expect(first.stderr).toContain('goes on where it was')
      expect(readdirSync(work)).toEqual([])
      const before = model.requests.length
      const again = await runIn(withModel(), ...argv, seed)
      expect(again.code, again.stderr).toBe(0)
      const report = JSON.parse(again.stdout) as TasksReport
      expect(report.made).toBe(12)
      expect(report.asked.answers).toBe(model.requests.length - before)
      // Four are under way at most: their answers nobody heard.
      expect(report.asked.kept).toBeGreaterThanOrEqual(first.asked - 4)
      const third = JSON.parse((await runIn(withModel(), ...argv, seed)).stdout) as TasksReport
      expect(third.asked).toMatchObject({ answers: 0 })
      expect(readdirSync(work).sort()).toEqual(['tasks.jsonl', 'tasks.jsonl.report.json'])
    },
  )
})
