import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IndexReport } from '../../src/compose/app.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'

let folder: string
/** The installation, which moves: beside the compiled package, where its dependencies are found. */
let root: string
const made: string[] = []

beforeAll(async () => {
  const shared = dirname(dirname(dirname((await compiledPackage()).main)))
  folder = mkdtempSync(join(tmpdir(), 'audition-bundled-'))
  root = mkdtempSync(join(dirname(shared), 'audition-moving-'))
  cpSync(shared, root, { recursive: true })
  mkdirSync(join(folder, 'agents'))
  const text = '---\nname: beekeeper\ndescription: Plans the work of an apiary.\n---\nYou keep bees.\n'
  writeFileSync(join(folder, 'agents', 'beekeeper.md'), text)
  made.push(folder)
})

afterAll(() => {
  for (const one of [...made, root]) rmSync(one, { recursive: true, force: true })
})

/** Runs the program as it is installed now, in a home without hosts. */
function run(
  store: string,
  ...argv: readonly string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, store),
    NO_COLOR: '1',
  }
  const main = join(root, 'dist', 'cli', 'main.js')
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...argv], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

const sourcesOf = async (store: string): Promise<readonly (readonly [string, string])[]> => {
  const sources: readonly SourceState[] = JSON.parse((await run(store, 'sources', '--json')).stdout)
  return sources.map(({ id, location }) => [id, location] as const)
}

const whole = [
  ['audition-arithmetic', 'bundled:servers#audition-arithmetic'],
  ['audition-calendar', 'bundled:servers#audition-calendar'],
  ['audition-text', 'bundled:servers#audition-text'],
  ['catalog-profiles', 'bundled:profiles'],
]

test('the installation moves, and the catalog is there once', async () => {
  const store = 'moving'
  const first = await run(store, 'index', '--json')
  expect(first.code, first.stderr).toBe(0)
  expect(await sourcesOf(store)).toEqual(whole)
  const moved = join(dirname(root), `${basename(root)}-now`)
  renameSync(root, moved)
  root = moved
  const { tools, agents }: IndexReport = JSON.parse((await run(store, 'index', '--json')).stdout)
  expect([tools, agents]).toEqual([62, 73])
  expect(await sourcesOf(store)).toEqual(whole)
  // Its servers run from where they lie now.
  const ran = await run(store, 'run', 'audition-arithmetic/factorize', '--arguments', '{"value": 91}')
  expect(ran.stdout, ran.stderr).toContain('91 = 7 * 13')
})

test('what was removed does not come back by itself, and comes when it is named', async () => {
  const store = 'moving'
  const { stdout } = await run(store, 'sources', 'remove', 'catalog-profiles')
  expect(stdout).toContain('`audition index bundled` brings the bundled catalog back')
  expect((await run(store, 'index', '--no-harvest')).code).toBe(0)
  expect((await sourcesOf(store)).map(([id]) => id)).not.toContain('catalog-profiles')
  expect((await run(store, 'index', 'bundled')).code).toBe(0)
  expect(await sourcesOf(store)).toEqual(whole)
})

test("beside a source of the user's it is off: in searches, after a tour too", async () => {
  const store = 'own'
  expect((await run(store, 'quickstart')).code).toBe(0)
  expect((await sourcesOf(store)).map(([id]) => id)).toContain('demo-profiles')
  const indexed = await run(store, 'index', 'agents')
  expect(indexed.stdout).toContain('What ships with Audition is off')
  const tour = await run(store, 'quickstart')
  expect(tour.code, tour.stderr).toBe(0)
  expect(tour.stdout).toContain('yours stays as it is')
  expect(tour.stdout).toMatch(/demo-profiles\/measure-amber +3 of 3/)
  expect((await sourcesOf(store)).map(([, location]) => location)).toEqual([join(folder, 'agents')])
  const found = await run(store, 'search', '--json', 'work out the monthly payment of a mortgage')
  const { answers } = JSON.parse(found.stdout) as {
    answers: { candidates: { card: { source: string } }[] }[]
  }
  expect(answers.flatMap(({ candidates }) => candidates.map(({ card }) => card.source))).not.toContain(
    'catalog-profiles',
  )
  expect((await run(store, 'sources')).stdout).toContain('The bundled catalog is off')
  const evaluated = await run(store, 'evaluate', 'bundled', '--ranker', 'lexical', '--limit', '6')
  expect(evaluated.code, evaluated.stderr).toBe(0)
})
