import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiledPackage } from '../fixtures/compiled-package.ts'

const root = join(import.meta.dirname, '..', '..')
const called = promisify(execFile)

type Manifest = { readonly dependencies: { readonly [name: string]: string }; readonly exports: object }
type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] }

const clean = realpathSync(mkdtempSync(join(tmpdir(), 'audition-packed-')))
afterAll(() => rmSync(clean, { recursive: true, force: true }))

let files: readonly string[] = []

/** The tarball, unpacked where a program finds it, beside the packages that it declares and no other. */
beforeAll(async () => {
  const { main } = await compiledPackage()
  const built = dirname(dirname(dirname(main)))
  const npm = ['pack', '--ignore-scripts', '--json', '--pack-destination', clean]
  const { stdout } = await called('npm', npm, { cwd: built, maxBuffer: 64 * 1024 * 1024 })
  const said: unknown = JSON.parse(stdout)
  const packed = Object.values(said as { readonly [at: string]: Packed })[0]!
  files = packed.files.map(({ path }) => path)
  const modules = join(clean, 'node_modules')
  mkdirSync(join(modules, 'audition-mcp'), { recursive: true })
  const into = join(modules, 'audition-mcp')
  await called('tar', ['-xzf', join(clean, packed.filename), '-C', into, '--strip-components=1'])
  const { dependencies } = JSON.parse(readFileSync(join(into, 'package.json'), 'utf8')) as Manifest
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  cpSync(join(root, 'examples'), join(clean, 'examples'), { recursive: true })
  writeFileSync(join(clean, 'package.json'), JSON.stringify({ type: 'module', private: true }))
})

/** What a program of the clean folder prints; it has no environment but a home of its own. */
async function printed(...program: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: clean, APPDATA: clean, LOCALAPPDATA: clean, TMPDIR: clean }
  const { stdout } = await called(process.execPath, [...program], { cwd: clean, env })
  return stdout
}

const evaluated = (code: string): Promise<string> => printed('--input-type=module', '--eval', code)

test('the tarball holds the product: no tests, benches, parts, examples or maps', () => {
  expect(files.length).toBeGreaterThan(500)
  const strangers =
    /^(?:src|test|bench|examples|dist\/bench)\/|\.test\.|\.map$|\/node_modules\/|^embeddings\/trainer|^evals\/benchmarks/
  expect(files.filter((path) => strangers.test(path))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE']))
})

describe('the installed package', () => {
  test('opens without an argument, and says what to do where nothing is indexed', async () => {
    const said = await evaluated(`
      import { NoIndexError, openAudition, RemedyError, UnknownCardError } from 'audition-mcp'
      const audition = await openAudition()
      const error = await audition.search({ kind: 'tool', query: 'anything' }).catch((error) => error)
      const mistake = await audition.rank('no list', 'anything').catch((error) => error)
      await audition.close()
      console.log(error instanceof NoIndexError, RemedyError.isInstance(mistake), mistake.remedy)
      console.log(RemedyError.isInstance(new UnknownCardError('a/b', [])))
    `)
    expect(said).toBe('true true Give an array of tools, or the answer to tools/list.\ntrue\n')
  })

  test('exports its manifest, and nothing of the inside', async () => {
    const said = await evaluated(`
      import { createRequire } from 'node:module'
      const { name } = createRequire(import.meta.url)('audition-mcp/package.json')
      const inside = await import('audition-mcp/dist/config.js').catch(({ code }) => code)
      console.log(name, inside)
    `)
    expect(said).toBe('audition-mcp ERR_PACKAGE_PATH_NOT_EXPORTED\n')
  })

  test('loads no store and no model when it is imported', async () => {
    const said = await evaluated(`
      import 'audition-mcp'
      console.log(process.report.getReport().sharedObjects.filter((path) => /lancedb|onnx/.test(path)).length)
    `)
    expect(said).toBe('0\n')
  })
})

describe('the examples', () => {
  test('a folder of tools is searched', async () => {
    const lines = (await printed('examples/search-a-folder.mjs')).split('\n')
    expect(lines[0]).toBe('4 tools, 0 problems')
    expect(lines[2]).toMatch(/ money\/convert_currency$/)
  })

  test('a list is ranked in memory', async () => {
    const lines = (await printed('examples/rank-a-list.mjs')).split('\n')
    expect(lines[1]).toMatch(/ create_event$/)
  })

  test('a probe changes the ranking', async () => {
    expect((await printed('examples/probe-and-rank-again.mjs')).split('\n').slice(0, 4)).toEqual([
      'before: demo-profiles/ratio-oak demo-profiles/ratio-elm',
      'demo-profiles/ratio-oak: 0 of 3 right',
      'demo-profiles/ratio-elm: 3 of 3 right',
      'after:  demo-profiles/ratio-elm demo-profiles/ratio-oak',
    ])
  })
})

test.each(['nodenext', 'bundler'])('its types hold with moduleResolution %s', async (moduleResolution) => {
  const program = join(clean, `${moduleResolution}.ts`)
  writeFileSync(
    program,
    `import { openAudition, type ProbeReport, rank, type RankedTools, RemedyError, type SearchAnswer } from 'audition-mcp'
const audition = await openAudition({ home: 'store', model: undefined })
const answer: SearchAnswer = await audition.search({ kind: 'tool', query: 'x' })
const report: ProbeReport = await audition.probe({ cards: ['a/b', ...answer.candidates.map(({ card }) => card)] })
const tools = [{ name: 'one', mine: 1 }]
const ranked: RankedTools<{ name: string; mine: number }> = await rank({ tools }, 'x')
const mine: number = ranked.tools[0]!.tool.mine
const { kind } = await audition.evaluate({ dataset: 'bundled' })
console.log(report.left, mine, kind, RemedyError.isInstance(null))
// @ts-expect-error a kind that there is not
await audition.search({ kind: 'skill', query: 'x' })
`,
  )
  const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext'
  const options = ['--strict', '--noEmit', '--target', 'es2023', '--types', 'node', '--module', module]
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const found = await called(
    process.execPath,
    [compiler, ...options, '--moduleResolution', moduleResolution, program],
    { cwd: clean },
  ).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  expect(found.stdout).toBe('')
})
