import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../catalog/temporary-folder.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'

/** The package as it is compiled, but for the thread in which large cards are scanned: that one never ends, and says that it began. */
let installed: string

beforeAll(async () => {
  const { main } = await compiledPackage()
  const original = dirname(dirname(dirname(main)))
  installed = mkdtempSync(join(dirname(original), 'audition-hanging-'))
  cpSync(join(original, 'dist'), join(installed, 'dist'), { recursive: true })
  for (const name of ['package.json', 'catalog', 'embeddings', 'evals'])
    if (existsSync(join(original, name))) symlinkSync(join(original, name), join(installed, name))
  writeFileSync(
    join(installed, 'dist', 'trust', 'scan', 'scan-worker.js'),
    `import { writeFileSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => {
      writeFileSync(${JSON.stringify(join(installed, 'began'))}, '')
      const hanging = /^(a+)+$/
      hanging.test('a'.repeat(64) + '!')
    })`,
  )
})

afterAll(() => rmSync(installed, { recursive: true, force: true }))

function start(folder: string, ...argv: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    NO_COLOR: '1',
    AUDITION_MODEL: 'none',
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'store'),
  }
  const main = join(installed, 'dist', 'cli', 'main.js')
  const child = spawn(process.execPath, [main, ...argv], { cwd: folder, env, stdio: 'pipe' })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
  return { child, ended }
}

const agent = (name: string, text: string): string =>
  `---\nname: ${name}\ndescription: ${text}\n---\nYou work.\n`

/** A folder with a sound agent in the store, and a run on a text whose scan hangs that a signal came to. */
async function interrupted(signal: 'SIGINT' | 'SIGTERM') {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'agents'))
  mkdirSync(join(folder, 'hostile'))
  writeFileSync(join(folder, 'agents', 'beekeeper.md'), agent('beekeeper', 'Plans the work of an apiary.'))
  // Such a card has twenty seconds before it is held and the run ends with 0.
  writeFileSync(join(folder, 'hostile', 'long.md'), agent('long', 'Tells the weather. '.repeat(25_000)))
  expect((await start(folder, 'index', 'agents').ended).code).toBe(0)
  rmSync(join(installed, 'began'), { force: true })
  const { child, ended } = start(folder, 'index', 'hostile')
  while (!existsSync(join(installed, 'began')) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50))
  child.kill(signal)
  return { folder, ...(await ended) }
}

test('SIGINT ends an index run whose scan hangs, and the store is whole', async () => {
  const { folder, code, stderr } = await interrupted('SIGINT')
  expect(code, stderr).toBe(130)
  expect(stderr).toContain('The last good index stays as it was.')
  expect((await start(folder, 'search', 'bees in an apiary').ended).stdout).toContain('beekeeper')
  const repair = await start(folder, 'doctor', '--repair').ended
  expect(repair.stdout + repair.stderr).toMatch(/Nothing to mend[\s\S]*damage: none found/)
})

test('SIGTERM does as well', async () => {
  expect((await interrupted('SIGTERM')).code).toBe(130)
})
