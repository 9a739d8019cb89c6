import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Audition, openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { type CompiledPackage, compiledPackage } from './fixtures/compiled-package.ts'
import { writeTinyBert } from './fixtures/onnx/tiny-bert.ts'
import { writeTinyCrossEncoder } from './fixtures/onnx/tiny-cross-encoder.ts'

let compiled: CompiledPackage
let app: { readonly openAudition: typeof openAudition }
let folder: string
let reranker: string
let home: string

const tools = JSON.stringify(
  ['review the lease contract', 'write the lease file of the city', 'find the weather of the city'].map(
    (description, number) => ({
      type: 'function',
      function: { name: `tool_${number}`, description, parameters: { type: 'object' } },
    }),
  ),
)
const request = { kind: 'tool', query: 'lease file', pack: 'ranking' } as const

beforeAll(async () => {
  compiled = await compiledPackage()
  app = (await import(
    pathToFileURL(join(dirname(dirname(compiled.main)), 'compose', 'app.js')).href
  )) as typeof app
  folder = await mkdtemp(join(tmpdir(), 'audition-reranker-'))
  reranker = await writeTinyCrossEncoder(join(folder, 'reranker'))
  home = join(folder, 'home')
  await mkdir(join(folder, 'tools'))
  await writeFile(join(folder, 'tools', 'tools.json'), tools)
  const audition = opened()
  await audition.index({ locations: [join(folder, 'tools', 'tools.json')] })
  await audition.close()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Audition over the store with this reranker; closed after the test. */
function opened(spec?: string): Audition {
  const environment = spec === undefined ? {} : { AUDITION_RERANKER: spec }
  const audition = app.openAudition(
    configFrom({ ...environment, AUDITION_READER: 'none', AUDITION_HOME: home }),
  )
  if (spec !== undefined) onTestFinished(() => audition.close())
  return audition
}

/** Runs the program with this reranker. */
const run = (
  argv: readonly string[],
  spec: string,
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, AUDITION_HOME: home, AUDITION_RERANKER: spec }
    execFile(process.execPath, [compiled.main, ...argv], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })

test('a search is reranked by the configured model, each time alike, and tells its relevances', async () => {
  const audition = opened(`transformers:${reranker}?depth=2`)
  const answer = await audition.search(request)
  expect(answer.ranker).toBe('cross-encoder')
  const relevances = answer.candidates.map(({ signals }) => signals.crossEncoder)
  expect(relevances.slice(0, 2)).toEqual([expect.any(Number), expect.any(Number)])
  expect(relevances[0]).toBeGreaterThanOrEqual(relevances[1]!)
  expect(relevances.slice(2).every((one) => one === undefined)).toBe(true)
  expect(await audition.search(request)).toEqual(answer)
  expect(answer.reranking).toEqual({ model: (await audition.reranker())!.id, candidates: 2, requests: 0 })
  expect(await audition.search({ ...request, ranker: 'lexical' })).toMatchObject({ ranker: 'lexical' })
  expect(await audition.reranker()).toEqual({
    id: expect.stringMatching(/^transformers:reranker@[0-9a-f]{12}\?/),
    depth: 2,
  })
})

test('without one nothing is reranked', async () => {
  const audition = opened('')
  expect(await audition.reranker()).toBeNull()
  expect(await audition.search(request)).toMatchObject({ ranker: 'learned' })
  await expect(audition.search({ ...request, ranker: 'cross-encoder' })).rejects.toMatchObject({
    remedy: expect.stringContaining('AUDITION_RERANKER'),
  })
})

test.each([
  { why: 'no adapter knows', spec: () => 'magic:reranker', says: 'begins with "magic:"' },
  {
    why: 'is not there',
    spec: () => 'transformers:/no/such/model',
    says: '/no/such/model: there is no such',
  },
  {
    why: 'is an embedding model',
    spec: async () => `transformers:${await writeTinyBert(join(folder, 'embedder'))}`,
    says: 'A cross-encoder gives 1 or 2 logits per pair',
  },
  { why: 'has a wrong setting', spec: () => `transformers:${reranker}?depth=none`, says: 'depth: ' },
])('a model that $why fails who asks for it, and no search', async ({ spec, says }) => {
  const audition = opened(await spec())
  await expect(audition.search({ ...request, ranker: 'cross-encoder' })).rejects.toMatchObject({
    name: expect.stringMatching(/^(EmbeddingModel|Reranker)Error$/),
    message: expect.stringContaining(says),
    remedy: expect.stringMatching(/.{20}/),
  })
  const plain = await opened('').search(request)
  const answer = await audition.search(request)
  expect(answer.candidates).toEqual(plain.candidates)
  expect(answer).toMatchObject({ ranker: 'learned', reranking: { failure: expect.stringContaining(says) } })
  expect(answer.note).toMatch(
    /Ranked without the reranker: (it failed\. `audition doctor`|AUDITION_RERANKER)/,
  )
  expect(answer.note).not.toContain('/no/such')
  expect(await audition.search({ ...request, ranker: 'lexical' })).toMatchObject({ ranker: 'lexical' })
})

test('the program evaluates it beside the others, and its doctor shows it', async () => {
  const queries = join(folder, 'queries.jsonl')
  await writeFile(queries, JSON.stringify({ query: 'lease contract', expected: ['tools/tool_0'] }))
  const spec = `transformers:${reranker}?depth=20`
  const { stderr } = await run(['evaluate', queries, '--ranker', 'lexical', '--name', 'words'], spec)
  expect(stderr).not.toContain('error')
  const reranked = await run(
    ['evaluate', queries, '--ranker', 'cross-encoder', '--compare', 'words', '--json'],
    spec,
  )
  expect(reranked.code, reranked.stderr).toBe(0)
  const { settings, comparison, name } = JSON.parse(reranked.stdout)
  expect(settings).toMatchObject({
    ranker: 'cross-encoder',
    model: expect.stringMatching(/^static:audition-1@/),
    crossEncoder: { model: expect.stringMatching(/^transformers:reranker@/), depth: 20 },
  })
  expect(comparison).toMatchObject({ baseline: 'words', candidate: name })

  const doctor = await run(['doctor'], spec)
  expect(doctor.stdout).toMatch(/ok {4}reranker: transformers:reranker@\S+, over the first 20 candidates/)
  const missing = await run(['doctor'], 'transformers:/no/such/model')
  expect(missing.code).toBe(1)
  expect(missing.stdout).toContain('fail  reranker: /no/such/model: there is no such folder.')
  expect(missing.stdout).toContain('Check the path of the model')
})
