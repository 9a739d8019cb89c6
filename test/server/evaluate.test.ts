import { readFileSync } from 'node:fs'
import type { Progress } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { DatasetError } from '../../src/evaluation/datasets/dataset.ts'
import { evaluationJobKind } from '../../src/server/tools/evaluate.ts'
import { jobsOf } from '../../src/server/jobs/jobs.ts'
import { jsonBytes, tokensOf } from '../../src/server/answers/fitted-answer.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { type FakeEvaluationsOptions, fakeEvaluations } from '../fakes/fake-evaluations.ts'
import { someCards } from '../fakes/some-cards.ts'
import { connectInMemory, textOf } from './connect.ts'

async function connected(options: FakeEvaluationsOptions = {}) {
  const evaluations = fakeEvaluations(options)
  const app = fakeAudition(someCards, { evaluations })
  const client = await connectInMemory(app)
  const call = (given: { readonly [name: string]: unknown }) =>
    client.callTool({ name: 'evaluate', arguments: given })
  return { evaluations, app, client, call }
}

/** A promise that a test resolves. */
function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test('answers measures with intervals, costs, and a link to a report that can be read', async () => {
  const { client, call } = await connected()
  const result = await call({ dataset: 'bundled' })
  expect(result.isError).toBeUndefined()
  expect(result.structuredContent).toMatchObject({
    state: 'done',
    dataset: 'bundled',
    run: 'bundled-lexical-own',
    queries: 6,
    parts: 3,
    ranker: 'lexical',
    measures: [{ measure: 'ndcg@2', mean: 0.8459 }, { measure: 'recall@2' }, { measure: 'refusal', mean: 1 }],
    tokens_per_answer: expect.any(Number),
    notes: ['a note'],
    report: 'audition://evaluations/bundled/bundled-lexical-own',
    next: expect.stringContaining('a page for the user to open'),
  })
  expect(result.content[1]).toMatchObject({
    type: 'resource_link',
    uri: 'audition://evaluations/bundled/bundled-lexical-own',
    mimeType: 'text/html',
    annotations: { audience: ['user'] },
  })
  expect(textOf(result)).toMatch(
    /^"bundled lexical own": 6 queries\. Per cent: nDCG@2 84\.6 \[\d\d\.\d, 100\.0\], /,
  )
  expect(tokensOf(jsonBytes(result))).toBeLessThan(1_000)
  const { contents } = await client.readResource({
    uri: 'audition://evaluations/bundled/bundled-lexical-own',
  })
  expect(contents).toEqual([
    {
      uri: 'audition://evaluations/bundled/bundled-lexical-own',
      mimeType: 'text/html',
      text: '<!doctype html><title>bundled lexical own</title>',
    },
  ])
  await client.close()
})

test('every argument reaches the run, and the dataset only by a name from the list', async () => {
  const { client, call, evaluations } = await connected()
  await call({ dataset: 'team', ranker: 'lexical', limit: 4 })
  await call({ dataset: 'team', limit: 4, compare: 'latest' })
  expect(evaluations.requests).toMatchObject([
    { dataset: { kind: 'known', name: 'team' }, ranker: 'lexical', limit: 4 },
    { dataset: { kind: 'known', name: 'team' }, limit: 4, compare: 'latest' },
  ])
  await client.close()
})

test.each([
  {
    why: 'an unknown name',
    given: { dataset: 'toolret' },
    says: 'No dataset is called "toolret". Datasets: "bundled", "self", "team". Example: evaluate {"dataset":"bundled"}',
  },
  { why: 'a path', given: { dataset: '/etc/passwd' }, says: 'No dataset is called "/etc/passwd".' },
  { why: 'a path that leads up', given: { dataset: '../team' }, says: 'No dataset is called "../team".' },
  { why: 'no dataset', given: {}, says: '"dataset" is missing. Datasets: "bundled", "self", "team".' },
  { why: 'a run of another session', given: { run_id: 'abc' }, says: 'No evaluation has the run_id "abc"' },
  {
    why: 'a limit out of range',
    given: { dataset: 'team', limit: 0 },
    says: '"limit" is 0 but must be at least 1.',
  },
  {
    why: 'a baseline that is not there',
    given: { dataset: 'team', compare: 'latest' },
    says: 'No run "latest" of "team" is kept, nor any other. Call evaluate without "compare": its run is kept',
  },
])('$why is answered with what to call instead', async ({ given, says }) => {
  const { client, call, evaluations } = await connected()
  const result = await call(given)
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(says)
  expect(evaluations.requests.length).toBe('compare' in given ? 1 : 0)
  await client.close()
})

test('a baseline that is not there is answered with the runs that are kept, and no command line', async () => {
  const { client, call } = await connected()
  await call({ dataset: 'team' })
  const result = await call({ dataset: 'team', compare: 'yesterday' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toBe(
    'No run "yesterday" of "team" is kept. Kept: "team-lexical-own". Call evaluate with one of these in "compare", or without it.',
  )
  await client.close()
})

test('a ranker that cannot be had is told to its caller alone', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { client, call } = await connected()
  const result = await call({ dataset: 'team', ranker: 'cross-encoder' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(
    /^Ranker "cross-encoder" needs a cross-encoder, and none is configured\. Take another ranker, or set /,
  )
  expect(log).not.toHaveBeenCalled()
  log.mockRestore()
  await client.close()
})

test('compares with an earlier run', async () => {
  const { client, call } = await connected()
  await call({ dataset: 'team' })
  const result = await call({ dataset: 'team', compare: 'latest' })
  expect(result.structuredContent).toMatchObject({
    comparison: {
      baseline: 'team lexical own',
      measures: [
        { measure: 'ndcg@2', difference: 0, p: 1 },
        { measure: 'recall@2', difference: 0 },
        { measure: 'refusal' },
      ],
      partsBetter: 0,
      partsWorse: 0,
      regressions: [],
    },
  })
  expect(textOf(result)).toContain('Against "team lexical own": nDCG@2 +0.0 (p 1.000)')
  await client.close()
})

test('the index itself is answered with findings', async () => {
  const finding = {
    kind: 'thin' as const,
    card: 'forge/x',
    others: [],
    message: 'has no description',
    remedy: 'Write one.',
  }
  const { client, call } = await connected({ findings: Array.from({ length: 9 }, () => finding) })
  const { structuredContent } = await call({ dataset: 'self' })
  expect(structuredContent).toMatchObject({ findingCount: 9, findings: { length: 5 } })
  await client.close()
})

test('an index that nothing can be asked of is answered with its findings alone', async () => {
  const { client, call } = await connected({
    unasked: {
      kind: 'unasked',
      dataset: { name: 'self', origin: 'your index, 1 card', notes: ['1 of 1 cards have no example.'] },
      findings: [
        { kind: 'thin', card: 'a/x', others: [], message: 'has no description', remedy: 'Write one.' },
      ],
    },
  })
  const result = await call({ dataset: 'self' })
  expect(result.structuredContent).toEqual({
    state: 'done',
    run_id: expect.any(String),
    dataset: 'self',
    queries: 0,
    findings: [{ kind: 'thin', card: 'a/x', message: 'has no description', remedy: 'Write one.' }],
    findingCount: 1,
    notes: ['1 of 1 cards have no example.'],
    next: expect.stringContaining('Give the cards examples'),
  })
  expect(textOf(result)).toContain('No query can be made of your index, 1 card.')
  await client.close()
})

test('what failed after a run is told beside its figures, and a report that is not there is not offered', async () => {
  const failures = [new Error('/home/someone/store/evaluations: cannot be written.')]
  const { client, call } = await connected({ failures, keeps: 'nothing' })
  const result = await call({ dataset: 'bundled' })
  expect(result.isError).toBeUndefined()
  expect(result.structuredContent).toMatchObject({
    queries: 6,
    notes: ['…/evaluations: cannot be written.', 'a note'],
    next: expect.stringContaining('what failed'),
  })
  expect(result.structuredContent).not.toHaveProperty('report')
  expect(result.content).toHaveLength(1)
  await client.close()
})

test('a long run answers with a handle, a second call waits for it, and others must wait', async () => {
  const { opened, open } = gate()
  const { client, call } = await connected({ gate: opened })
  const first = await call({ dataset: 'bundled', max_seconds: 1 })
  expect(first.isError).toBeUndefined()
  expect(first.structuredContent).toMatchObject({ state: 'running', done: 0, total: 6 })
  const { run_id } = first.structuredContent as { run_id: string }
  expect(textOf(first)).toContain(`Call evaluate {"run_id":"${run_id}"} to wait for it.`)

  const second = await call({ dataset: 'team' })
  expect(second.isError).toBe(true)
  expect(textOf(second)).toBe(
    `An evaluation of bundled is running, and one runs at a time. Call evaluate {"run_id":"${run_id}"} to wait for it, or with "stop": true to end it.`,
  )
  const [third] = await Promise.all([call({ run_id }), open()])
  expect(third.structuredContent).toMatchObject({ state: 'done', run_id, queries: 6 })
  expect((await call({ run_id })).structuredContent).toEqual(third.structuredContent)
  expect((await call({ dataset: 'team' })).structuredContent).toMatchObject({ state: 'done' })
  await client.close()
})

test('a long run can be ended by its handle, and the next one may begin', async () => {
  const { opened, open } = gate()
  const { client, call, evaluations } = await connected({ gate: opened })
  const { structuredContent } = await call({ dataset: 'bundled', max_seconds: 1 })
  const { run_id } = structuredContent as { run_id: string }
  const ending = call({ run_id, stop: true })
  await vi.waitFor(() => expect(evaluations.requests[0]!.signal!.aborted).toBe(true))
  open()
  expect(await ending).toMatchObject({
    isError: true,
    content: [{ text: 'It was stopped, as a call asked.' }],
  })
  expect((await call({ dataset: 'team' })).structuredContent).toMatchObject({ state: 'done' })
  await client.close()
})

test('a handle is good on every connection to the same app', async () => {
  const { opened, open } = gate()
  const { client, app, call } = await connected({ gate: opened })
  const { structuredContent } = await call({ dataset: 'bundled', max_seconds: 1 })
  const { run_id } = structuredContent as { run_id: string }
  const other = await connectInMemory(app)
  open()
  expect((await other.callTool({ name: 'evaluate', arguments: { run_id } })).structuredContent).toMatchObject(
    {
      state: 'done',
    },
  )
  await Promise.all([client.close(), other.close()])
})

test('whoever waits is told how far it is', async () => {
  const { client } = await connected()
  const told: Progress[] = []
  await client.callTool(
    { name: 'evaluate', arguments: { dataset: 'bundled' } },
    { onprogress: (progress) => told.push(progress) },
  )
  expect(told[0]).toEqual({ progress: 0, total: 6, message: 'sky: 0 of 6 queries' })
  expect(told.at(-1)).toEqual({ progress: 6, total: 6, message: 'team: 6 of 6 queries' })
  await client.close()
})

test('a caller who gives up stops the run, and the next one may begin', async () => {
  const { opened, open } = gate()
  const { client, call, evaluations } = await connected({ gate: opened })
  const stop = new AbortController()
  const given = client.callTool(
    { name: 'evaluate', arguments: { dataset: 'bundled' } },
    { signal: stop.signal, onprogress: () => stop.abort() },
  )
  await expect(given).rejects.toThrow()
  await vi.waitFor(() => expect(evaluations.requests[0]!.signal!.aborted).toBe(true))
  open()
  await vi.waitFor(async () => {
    expect((await call({ dataset: 'team' })).structuredContent).toMatchObject({ state: 'done' })
  })
  await client.close()
})

test('a run that fails says why and what to do, without paths of the machine', async () => {
  const failure = new DatasetError('/home/someone/team/x.jsonl: line 3 is not JSON.', 'Mend line 3.')
  const { client, call } = await connected({ failure })
  const result = await call({ dataset: 'team' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toBe('…/x.jsonl: line 3 is not JSON. Mend line 3.')
  await client.close()
})

test('a run that takes too long is stopped, and says so', async () => {
  const job = jobsOf(evaluationJobKind, 5).start('bundled', ({ signal }) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await job.ended
  expect(job.outcome()).toMatchObject({
    error: { message: expect.stringContaining('took longer than 0.005 seconds') },
  })
})

test('reports are a template; an unknown one is refused with those that there are', async () => {
  const { client, call } = await connected()
  await call({ dataset: 'bundled' })
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    'audition://evaluations/{dataset}/{run}',
  )
  await expect(client.readResource({ uri: 'audition://evaluations/bundled/nope' })).rejects.toThrow(
    'No run "nope" of "bundled" is kept. Its runs: "bundled-lexical-own".',
  )
  const ref = { type: 'ref/resource' as const, uri: 'audition://evaluations/{dataset}/{run}' }
  const { completion } = await client.complete({ ref, argument: { name: 'dataset', value: 'bun' } })
  expect(completion.values).toEqual(['bundled'])
  await client.close()
})

test('it says of itself that it writes, destroys nothing, and may be called again', () => {
  const golden = JSON.parse(readFileSync(new URL('golden/tools-list.json.golden', import.meta.url), 'utf8'))
  expect(golden.find(({ name }: { name: string }) => name === 'evaluate').annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  })
})
