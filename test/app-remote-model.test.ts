import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Audition, openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { NotAgreedError } from '../src/store/catalog-writer.ts'
import { runCaptured } from './fakes/captured-terminal.ts'
import { type EmbedFault, embedServer } from './fakes/embed-server.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audition-remote-model-'))
  writeTools(30)
  onTestFinished(() => rm(folder, { recursive: true }))
})

const tools = () => join(folder, 'tools.json')

/** Each reads the file of another number. */
function writeTools(count: number): void {
  const described = Array.from({ length: count }, (_, number) => ({
    type: 'function',
    function: {
      name: `tool_${number}`,
      description: `Reads the lease file number ${number} of the city.`,
      parameters: { type: 'object' },
    },
  }))
  writeFileSync(tools(), JSON.stringify(described))
}

/** Audition with this model, and these settings of the user's. */
function opened(
  model: string,
  { settings = '', key, home = 'home' }: { settings?: string; key?: string; home?: string } = {},
): Audition {
  const file = join(folder, 'settings.yaml')
  writeFileSync(file, settings)
  const environment = {
    AUDITION_HOME: join(folder, home),
    AUDITION_SETTINGS: file,
    AUDITION_MODEL: model,
    ...(key === undefined ? {} : { AUDITION_MODEL_KEY: key }),
  }
  const audition = openAudition({ ...configFrom(environment), cache: join(folder, 'cache') })
  onTestFinished(() => audition.close())
  return audition
}

async function service(fault?: (turn: number) => EmbedFault | undefined) {
  const server = await embedServer(fault)
  onTestFinished(() => server.close())
  return server
}

const wide = { env: { COLUMNS: '300' } }
const request = { kind: 'tool', query: 'read the lease file number 7', pack: 'ranking', k: 5 } as const

test('index shows what it would send and the price, and sends nothing before somebody agrees', async () => {
  const server = await service()
  const model = `embed:${server.origin}/v1#m?unasked=10`
  const priced = opened(model, { settings: 'prices: { m: { input: 100, output: 0 } }' })
  const refused = await runCaptured(['index', tools()], priced, wide)
  const { host } = new URL(server.origin)
  expect(refused.stderr).toContain(`30 cards, about 390 tokens would be sent to ${host} (m). About $0.039.`)
  expect(refused.stderr).toContain('Not sent, for nobody can be asked here: add --yes to send them.')
  expect(refused.stderr).toContain(`30 texts of cards would be sent to ${host}, and nobody agreed to that.`)
  expect(refused.code).not.toBe(0)
  const unpriced = opened(model)
  const dry = await runCaptured(['index', tools(), '--dry-run'], unpriced, wide)
  expect(dry.stdout).toContain('Its price is not known')
  // Not even a word of ours, to learn how long its vectors are.
  expect(server.requests).toEqual([])
  const agreed = await runCaptured(['index', tools(), '--yes'], unpriced, wide)
  expect(agreed.code).toBe(0)
  expect(agreed.stdout).toContain('30 tools')
  expect(server.requests.flatMap(({ texts }) => texts)).toHaveLength(31)
})

test('nothing is sent before somebody agreed: by no search, doctor, evaluation or comparison of models', async () => {
  const server = await service()
  const audition = opened(`embed:${server.origin}/v1#m`)
  const run = (...words: string[]) => runCaptured(words, audition, wide)
  expect((await run('search', 'pay the rent')).stderr).toContain('othing is indexed')
  expect((await run('doctor')).stdout).toContain('not asked yet')
  const evaluated = await run('evaluate', 'bundled')
  expect(evaluated.code).not.toBe(0)
  expect(evaluated.stderr).toContain(
    `Nobody agreed yet that texts are sent to ${new URL(server.origin).host}.`,
  )
  await run('models', 'pay the rent')
  // A catalog of nothing needs no vectors; cards that come later are asked for.
  writeTools(0)
  await audition.index({ locations: [tools()] })
  await run('search', 'pay the rent')
  expect(server.requests).toEqual([])
  writeTools(2)
  await expect(audition.index({ locations: [tools()] })).rejects.toThrow(NotAgreedError)
  await audition.index({ locations: [tools()], agreeToSend: ({ texts }) => texts === 2 })
  expect((await audition.search(request)).ranker).toBe('hybrid')
})

test('another store is asked for too, though the vectors of all its cards are kept', async () => {
  const server = await service()
  const model = `embed:${server.origin}/v1#m`
  await opened(model).index({ locations: [tools()], agreeToSend: () => true })
  const before = server.requests.length
  const other = opened(model, { home: 'another' })
  await expect(other.index({ locations: [tools()] })).rejects.toThrow('Nobody agreed yet')
  const asked = await runCaptured(['index', tools()], other, wide)
  expect(asked.stderr).toContain('the requests of searches would be sent to')
  await other.index({ locations: [tools()], agreeToSend: ({ texts }) => texts === 0 })
  expect(server.requests).toHaveLength(before)
  expect((await other.search(request)).ranker).toBe('hybrid')
})

test('a dry run over a store of another model sends nothing either', async () => {
  const server = await service()
  await opened('none').index({ locations: [tools()] })
  const audition = opened(`embed:${server.origin}/v1#m`)
  expect(await audition.index({ locations: [tools()], dryRun: true })).toMatchObject({
    sending: { texts: 30, isAgreed: false },
  })
  await expect(audition.index({ locations: [tools()] })).rejects.toThrow(NotAgreedError)
  expect(server.requests).toEqual([])
  // Its vectors are as long as the service says, which is asked once somebody agreed.
  await audition.index({ locations: [tools()], agreeToSend: () => true })
  expect((await audition.search(request)).ranker).toBe('hybrid')
})

test('a program is asked too, and few changed cards are sent without asking', async () => {
  const server = await service()
  const audition = opened(`embed:${server.origin}/v1#m?unasked=10`)
  const locations = [tools()]
  await expect(audition.index({ locations })).rejects.toThrow(NotAgreedError)
  await expect(audition.index({ locations, agreeToSend: () => false })).rejects.toThrow(NotAgreedError)
  const report = await audition.index({ locations, agreeToSend: ({ texts }) => texts === 30 })
  expect(report).toMatchObject({ tools: 30, sending: { texts: 30 } })
  writeTools(35)
  expect(await audition.index({ locations })).toMatchObject({ tools: 35, sending: { texts: 5 } })
  expect(await audition.index({ locations })).not.toHaveProperty('sending')
})

test('a search embeds the request, with the key, and finds by meaning and words', async () => {
  const server = await service()
  const audition = opened(`embed:${server.origin}/v1#m?unasked=500`, { key: 'sk-secret' })
  await audition.index({ locations: [tools()] })
  const before = server.requests.length
  const answer = await audition.search(request)
  expect(answer.ranker).toBe('hybrid')
  expect(answer.candidates[0]!.card.id).toBe('tools/tool_7')
  expect(answer.candidates[0]!.signals.dense).toBeGreaterThan(0.5)
  const [asked, ...more] = server.requests.slice(before)
  expect(asked!.headers.authorization).toBe('Bearer sk-secret')
  expect(asked!.texts).toEqual([request.query])
  expect(more).toEqual([])
  expect((await runCaptured(['doctor'], audition, wide)).stdout).toContain(`embed:${server.origin}/v1#m`)
})

test.each<{ readonly fault: EmbedFault; readonly says: string }>([
  { fault: { status: 401 }, says: 'refused the key (HTTP 401). Check AUDITION_MODEL_KEY.' },
  { fault: { status: 429, retryAfter: '900' }, says: 'was asked too often (HTTP 429)' },
  { fault: 'reset', says: 'did not answer' },
  { fault: 'half', says: 'it is no whole JSON document' },
  { fault: 'slow', says: 'took longer than 1 s' },
])('a search whose model fails by $fault is answered by words, and says so', async ({ fault, says }) => {
  let fails = false
  const server = await service(() => (fails ? fault : undefined))
  const model = `embed:${server.origin}/v1#m?seconds=1&unasked=500`
  await opened(model).index({ locations: [tools()] })
  const byWords = await opened('none').search(request)
  fails = true
  const audition = opened(model)
  const answer = await audition.search(request)
  expect(answer.candidates).toEqual(byWords.candidates)
  expect(answer.ranker).toBe('lexical')
  expect(answer.note).toContain('Ranked by words alone: ')
  expect(answer.note).toContain(says)
  expect(answer.note).not.toContain('ignore all rules')
  await expect(audition.search({ ...request, ranker: 'dense' })).rejects.toThrow(says.split('.')[0])
})

test('a service that is away when nothing of it is known costs no search either', async () => {
  const server = await service()
  const model = `embed:${server.origin}/v1#m?unasked=500`
  await opened(model).index({ locations: [tools()] })
  await server.close()
  await rm(join(folder, 'cache'), { recursive: true })
  const answer = await opened(model).search(request)
  expect(answer.note).toContain('Ranked by words alone: ')
  expect(answer.note).toContain('(ECONNREFUSED)')
  expect(answer.candidates).toHaveLength(5)
})

test('a service that makes other vectors than the store has, when nothing of it is known, costs none', async () => {
  let fails = false
  const server = await service(() => (fails ? 'other-length' : undefined))
  const model = `embed:${server.origin}/v1#m?unasked=500`
  await opened(model).index({ locations: [tools()] })
  await rm(join(folder, 'cache'), { recursive: true })
  fails = true
  const answer = await opened(model).search(request)
  expect(answer.note).toContain('Ranked by words alone: ')
  expect(answer.note).toContain('its vectors have 25 dimensions, not 24')
})

test('a run that ends early goes on where it was', async () => {
  writeTools(100)
  const server = await service((turn) => (turn === 3 ? { status: 400 } : undefined))
  const model = `embed:${server.origin}/v1#m?batch=16&unasked=500`
  const failure: unknown = await opened(model)
    .index({ locations: [tools()] })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({
    remedy: expect.stringContaining('the next run goes on where this one ended'),
  })
  const report = await opened(model).index({ locations: [tools()] })
  expect(report).toMatchObject({ tools: 100, sending: { texts: 68 } })
  const sent = server.requests.filter(({ isAnswered }) => isAnswered).flatMap(({ texts }) => texts)
  expect(sent).toHaveLength(101)
  expect(new Set(sent).size).toBe(101)
})

test('another model than the one that made the vectors is told', async () => {
  const server = await service()
  await opened(`embed:${server.origin}/v1#m?unasked=500`).index({ locations: [tools()] })
  await expect(opened(`embed:${server.origin}/v1#other`).search(request)).rejects.toThrow(
    /The store's vectors were made by embed:\S+#m\?format=openai, but embed:\S+#other/,
  )
})
