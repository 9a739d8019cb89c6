import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { packedPackage, typeFaults } from '../fixtures/packed-package.ts'

const { clean, files, how, printed, remove, tarball } = await packedPackage()
afterAll(remove)

const evaluated = (code: string): Promise<string> => printed('--input-type=module', '--eval', code)

test('the tarball holds the product: no tests, benches, parts, examples or maps', () => {
  expect(files.length).toBeGreaterThan(500)
  const strangers =
    /^(?:src|test|bench|examples|dist\/bench)\/|\.test\.|\.map$|\/node_modules\/|^embeddings\/trainer|^evals\/benchmarks/
  expect(files.filter((path) => strangers.test(path))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE']))
})

describe(`the package, ${how}`, () => {
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

describe(`the examples, with the package ${how}`, () => {
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

const tools = join(import.meta.dirname, '..', '..', 'bench', 'publishing', 'tools', 'node_modules')
const hasTools = existsSync(join(tools, 'publint'))
const by = hasTools ? 'holds before' : 'skipped: npm run mcpb installs'

/** What a linter prints of the tarball where it finds a fault; empty where it finds none. */
const faultsBy = (...program: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [join(tools, program[0]!), ...program.slice(1)]).then(
    () => '',
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr || 'failed',
  )

test.skipIf(!hasTools)(`the tarball ${by} publint`, async () => {
  const publint = 'publint/src/cli.js'
  expect(await faultsBy(publint, 'run', tarball, '--strict')).toBe('')
  const broken = join(clean, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'package.json'), '{"name":"broken","version":"1.0.0","exports":"./gone.js"}')
  expect(await faultsBy(publint, 'run', broken, '--strict')).toMatch(/gone\.js/)
})

// ES modules alone: dependencies are so too, and a second form would have a second copy of every class of errors. Node 20's `import()` serves CommonJS.
test.skipIf(!hasTools)(`the tarball ${by} "are the types wrong", as ES modules alone`, async () => {
  const attw = '@arethetypeswrong/cli/dist/index.js'
  expect(await faultsBy(attw, tarball, '--profile', 'esm-only')).toBe('')
  expect(await faultsBy(attw, tarball, '--profile', 'strict')).toMatch(/NoResolution|failed to resolve/)
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
  expect(await typeFaults(clean, [program], moduleResolution)).toBe('')
})
