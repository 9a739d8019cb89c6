import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { compiledPackage } from './fixtures/compiled-package.ts'
import { folderWith } from './fixtures/temporary-folder.ts'

type Step = {
  readonly name: string
  readonly run: string
  readonly shell: string
  readonly if?: string
  readonly env?: { readonly [name: string]: string }
}
type Action = {
  readonly inputs: { readonly [name: string]: { readonly description: string; readonly default: string } }
  readonly outputs: object
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const root = resolve(import.meta.dirname, '..')
const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
const step = (name: string): Step => action.runs.steps.find((one) => one.name === name)!
const weather = join(root, 'test', 'fixtures', 'mcp-servers', 'sdk-stdio.mjs')
const project = {
  'mcp.json': { mcpServers: { weather: { command: process.execPath, args: [weather] } } },
  'requests.yaml': '- request: will it rain in Oslo this weekend\n  tool: get_forecast\n',
}

test('the action is a composite one, whose steps take inputs by the environment alone', () => {
  expect(action.runs.using).toBe('composite')
  expect(action.runs.steps.map(({ name, shell }) => [name, shell])).toEqual([
    ['Build Audition', 'bash'],
    ['Measure', 'bash'],
    ['Comment', 'bash'],
    ['Result', 'bash'],
  ])
  for (const { run } of action.runs.steps) expect(run).not.toContain('${{')
  const used = action.runs.steps.flatMap(({ env = {}, if: condition = '' }) => [
    ...Object.values(env),
    condition,
  ])
  for (const name of Object.keys(action.inputs)) expect(used.join(' '), name).toContain(`inputs.${name}`)
})

test('the page about it uses inputs that it has', () => {
  const page = readFileSync(join(root, 'docs', 'findable.md'), 'utf8')
  const [, yaml = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? []
  const { jobs } = load(yaml) as {
    readonly jobs: { readonly [job: string]: { readonly steps: readonly { readonly with?: object }[] } }
  }
  const given = Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap((one) => Object.keys(one.with ?? {})),
  )
  expect(given.length).toBeGreaterThan(0)
  expect(given.filter((name) => action.inputs[name] === undefined)).toEqual([])
})

describe.skipIf(process.platform === 'win32')('its steps', () => {
  let built: string
  beforeAll(async () => {
    built = dirname(dirname(dirname((await compiledPackage()).main)))
  })

  /** Runs a step as a runner does, in a folder with a `gh` that only writes down how it was called. */
  async function runStep(name: string, cwd: string, env: { readonly [name: string]: string }) {
    const gh = join(cwd, 'bin', 'gh')
    writeFileSync(
      gh,
      '#!/bin/sh\necho "$@" >> "$GH_CALLS"\ncase "$*" in *--jq*) echo "$GH_FOUND";; *) exit $GH_CODE;; esac\n',
    )
    chmodSync(gh, 0o755)
    const inputs = Object.fromEntries(Object.keys(step(name).env ?? {}).map((variable) => [variable, '']))
    const surroundings = {
      PATH: `${dirname(gh)}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: cwd,
      AUDITION_HOME: join(cwd, 'store'),
      AUDITION_READER: 'none',
      GITHUB_ACTION_PATH: built,
      GITHUB_REPOSITORY: 'team/weather',
      RUNNER_TEMP: cwd,
      GITHUB_OUTPUT: join(cwd, 'output'),
      GITHUB_STEP_SUMMARY: join(cwd, 'summary'),
      GH_CALLS: join(cwd, 'calls'),
    }
    const options = { cwd, env: { ...surroundings, ...inputs, ...env } }
    return promisify(execFile)(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step(name).run],
      options,
    )
      .then(({ stdout }) => ({ code: 0, stdout }))
      .catch((error: { readonly code: number; readonly stdout: string }) => ({
        code: error.code,
        stdout: error.stdout,
      }))
  }
  const sample = (more: { readonly [path: string]: unknown } = {}) =>
    folderWith({ ...project, ...more, 'bin/.keep': '' })

  test('measure a server: table, summary and exit code', async () => {
    const cwd = sample()
    const env = { SOURCE: '.', REQUESTS: 'requests.yaml', HOST: 'bm25,audition', MIN: '80' }
    expect(await runStep('Measure', cwd, env)).toEqual({ code: 0, stdout: '' })
    const report = join(cwd, 'audition-findable.md')
    expect(readFileSync(join(cwd, 'output'), 'utf8')).toBe(`report=${report}\ncode=1\n`)
    expect(readFileSync(report, 'utf8')).toContain('| `weather/get_forecast` | 1 |')
    expect(readFileSync(join(cwd, 'summary'), 'utf8')).toBe(readFileSync(report, 'utf8'))
  })

  test('hand on that nothing could be measured, and comment nothing', async () => {
    const cwd = sample()
    await runStep('Measure', cwd, { SOURCE: '-x; touch made' })
    expect(readFileSync(join(cwd, 'output'), 'utf8')).toContain('code=1')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    await runStep('Comment', cwd, { REPORT: join(cwd, 'audition-findable.md'), NUMBER: '7' })
    expect(existsSync(join(cwd, 'calls'))).toBe(false)
  })

  test.each([
    {
      why: 'write a comment where there is none',
      found: '',
      call: '--method POST repos/team/weather/issues/7/comments',
    },
    {
      why: 'change the comment of before',
      found: '99',
      call: '--method PATCH repos/team/weather/issues/comments/99',
    },
  ])('$why', async ({ found, call }) => {
    const cwd = sample({ 'report.md': '| table |' })
    const report = join(cwd, 'report.md')
    const { code } = await runStep('Comment', cwd, { REPORT: report, NUMBER: '7', GH_FOUND: found })
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toContain(`api ${call} -F body=@${report}.comment`)
    expect(readFileSync(`${report}.comment`, 'utf8')).toBe('<!-- audition findable -->\n| table |')
  })

  test('warn where the token may not write', async () => {
    const cwd = sample({ 'report.md': '| table |' })
    const env = { REPORT: join(cwd, 'report.md'), NUMBER: '7', GH_CODE: '1' }
    expect(await runStep('Comment', cwd, env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('::warning::') as unknown,
    })
  })

  test.each(['0', '1', '2'])('end with %s as the measurement did', async (code) => {
    expect((await runStep('Result', sample(), { CODE: code })).code).toBe(Number(code))
  })
})
