import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transformersOptions } from '../../../src/adapters/transformers/files/options.ts'
import { type CompiledTransformers, compiledTransformers } from '../../fixtures/compiled-transformers.ts'
import { writeTinyBert } from '../../fixtures/onnx/tiny-bert.ts'

let folder: string
let compiled: CompiledTransformers

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-process-'))
  compiled = await compiledTransformers()
  await writeTinyBert(join(folder, 'tiny'))
})
afterAll(async () => {
  await compiled.remove()
  await rm(folder, { recursive: true })
})

/** Runs code in a process of its own, over the compiled adapter; `model` is loaded with its defaults. */
async function run(code: string): Promise<{ stdout: string; stderr: string }> {
  const options = transformersOptions({ model: join(folder, 'tiny') }, { cacheDir: folder })
  const chatty = join(folder, 'chatty.mjs')
  const real = JSON.stringify(import.meta.resolve('@huggingface/transformers'))
  await writeFile(chatty, `console.log('printed by a library')\nexport * from ${real}`)
  const script = `
    const { transformersModel } = await import(${JSON.stringify(pathToFileURL(join(compiled.folder, 'transformers-models.js')))})
    const options = ${JSON.stringify(options)}
    const surroundings = { packageUrl: ${JSON.stringify(pathToFileURL(chatty))} }
    const model = await transformersModel(options, surroundings)
    ${code}`
  return await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
}

test.each([
  { ending: 'that closes the model', code: 'await model.close()' },
  { ending: 'that forgets to close it', code: '' },
  { ending: 'that exits at once', code: 'process.exit(0)' },
  {
    ending: 'that exits in mid-work',
    code: 'void model.embed(Array(9).fill("file ".repeat(500)), "query"); process.exit(0)',
  },
])('a process $ending ends well, with nothing foreign on its standard output', async ({ code }) => {
  const { stdout, stderr } = await run(`
    const [vector] = await model.embed(['review a lease'], 'query')
    process.stdout.write('length ' + Math.hypot(...vector).toFixed(3))
    ${code}`)
  expect(stdout).toBe('length 1.000')
  expect(stderr).toBe('printed by a library\n')
})

test('a process whose model does not load ends by itself, too', async () => {
  const { stdout } = await run(`
    const broken = { ...options, pooling: 'model' }
    await transformersModel(broken, surroundings).catch((error) => process.stdout.write(error.remedy))`)
  expect(stdout).toBe('Choose an embedding model, or another pooling.')
})

test('a call under way keeps its process alive until it is answered', async () => {
  const { stdout } = await run(`model.embed(['lease'], 'query').then(() => process.stdout.write('answered'))`)
  expect(stdout).toBe('answered')
})

test('loading and closing again and again ends well', async () => {
  const { stdout } = await run(`
    for (let round = 0; round < 8; round++) {
      const another = await transformersModel(options, surroundings)
      const pending = another.embed(['lease'], 'query').catch(() => {})
      await another.close()
      await pending
    }
    process.stdout.write('done')`)
  expect(stdout).toBe('done')
})
