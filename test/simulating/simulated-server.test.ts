import { appendFileSync, mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { mulberry32 } from '../../src/domain/random.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { answersIn } from '../../src/simulating/answers-file.ts'
import { startState } from '../../src/simulating/things.ts'
import { UnknownToolError } from '../../src/simulating/ports.ts'
import { answersFile, playNotes, scriptedImitator, simulationOver, structuredAnswer } from './simulation.ts'

const files: ReturnType<typeof answersFile>[] = []
const freshFile = (): string => {
  const made = answersFile()
  files.push(made)
  return made.file
}
afterEach(() => {
  for (const made of files.splice(0)) made.remove()
})

describe('with a model that plays the tools', () => {
  test('what a session creates is listed, got, and gone once it is deleted; another session has none of it', async () => {
    const imitator = scriptedImitator(playNotes)
    const server = await simulationOver(freshFile(), { imitator })
    const session = server.session()
    expect((await session.call('list_notes', {})).structured).toEqual({ notes: [], count: 0 })
    await session.call('create_note', { title: 'milk' })
    await session.call('create_note', { title: 'bread' })
    const listed = await session.call('list_notes', {})
    expect(listed.structured).toEqual({
      notes: [
        { id: 'n1', title: 'milk' },
        { id: 'n2', title: 'bread' },
      ],
      count: 2,
    })
    expect(listed).toMatchObject({ from: 'model', model: 'scripted:notes', failed: false })
    await session.call('delete_note', { id: 'n1' })
    expect((await session.call('list_notes', {})).structured).toMatchObject({ count: 1 })
    expect(await session.call('get_note', { id: 'n1' })).toMatchObject({ failed: true })
    expect((await server.session().call('list_notes', {})).structured).toEqual({ notes: [], count: 0 })
  })

  test('the same call in the same state is asked once, also by callers at the same time', async () => {
    let made = 0
    const imitator = scriptedImitator(() => structuredAnswer({ notes: [], count: ++made }))
    const server = await simulationOver(freshFile(), { imitator })
    const session = server.session()
    const all = await Promise.all(Array.from({ length: 5 }, () => session.call('list_notes', {})))
    expect(new Set(all.map(({ structured }) => JSON.stringify(structured))).size).toBe(1)
    const asked = imitator.asked.length
    await session.call('list_notes', {})
    expect(imitator.asked).toHaveLength(asked)
  })

  test('an answer that does not fit the output schema is asked for again, with what is wrong', async () => {
    const imitator = scriptedImitator((_, time) =>
      structuredAnswer(time === 1 ? { notes: 'none' } : { notes: [], count: 0 }),
    )
    const server = await simulationOver(freshFile(), { imitator })
    expect((await server.session().call('list_notes', {})).structured).toEqual({ notes: [], count: 0 })
    expect(imitator.asked[1]?.fault).toMatch(/notes|count/)
  })

  test('a model that never fits, or cannot be asked, makes the call fail; nothing of it is kept', async () => {
    const file = freshFile()
    const server = await simulationOver(file, {
      imitator: scriptedImitator(({ tool }) => {
        if (tool.name === 'get_note') throw new Error('it is out')
        return structuredAnswer({ notes: 'none' })
      }),
    })
    const session = server.session()
    expect(await session.call('list_notes', {})).toMatchObject({ failed: true, from: 'nobody' })
    expect(await session.call('get_note', { id: 'x' })).toMatchObject({
      failed: true,
      content: [{ text: expect.stringContaining('it is out') }],
    })
    const replayed = (await simulationOver(file, { mode: 'replay' })).session()
    expect(await replayed.call('list_notes', {})).toMatchObject({ from: 'nobody' })
  })

  test('1,000 calls are answered the same on replay, without a model', async () => {
    const file = freshFile()
    const imitator = scriptedImitator(playNotes)
    const first = await callsOf(await simulationOver(file, { imitator }), 1_000)
    const again = await callsOf(await simulationOver(file, { mode: 'replay' }), 1_000)
    expect(again.filter((answer, at) => answer !== first[at])).toEqual([])
    expect(new Set(first).size).toBeGreaterThan(50)
  })
})

describe('without a model', () => {
  test('what is created is listed, by tools whose names pair up, in the shapes of their schemas', async () => {
    const session = (await simulationOver(freshFile())).session()
    const created = await session.call('create_note', { title: 'milk' })
    const { note } = created.structured as { note: JsonObject }
    expect(note.title).toBe('milk')
    expect(created.from).toBe('made-up')
    expect((await session.call('list_notes', {})).structured).toEqual({ notes: [note], count: 1 })
    expect((await session.call('get_note', { id: note.id! })).structured).toEqual(note)
    await session.call('delete_note', { id: note.id! })
    expect((await session.call('list_notes', {})).structured).toEqual({ notes: [], count: 0 })
    expect(await session.call('get_note', { id: note.id! })).toMatchObject({ failed: true })
  })

  test('each thing that is created has an id of its own', async () => {
    const session = (await simulationOver(freshFile())).session()
    const ids = new Set<unknown>()
    for (let at = 0; at < 120; at += 1) {
      const { structured } = await session.call('create_note', { title: `note ${at}` })
      ids.add((structured as { note: JsonObject }).note.id)
    }
    expect(ids.size).toBe(120)
  })

  test('a change that works says yes; what was there before is gone once it is deleted', async () => {
    for (let at = 0; at < 8; at += 1) {
      const session = (await simulationOver(freshFile())).session()
      expect((await session.call('delete_note', { id: `n${at}` })).structured).toEqual({ deleted: true })
      expect(await session.call('get_note', { id: `n${at}` })).toMatchObject({ failed: true })
      expect(await session.call('delete_note', { id: `n${at}` })).toMatchObject({ failed: true })
    }
  })

  test('the same calls have the same answers in a store of their own', async () => {
    const [one, other] = [await simulationOver(freshFile()), await simulationOver(freshFile())]
    expect(await callsOf(one, 50)).toEqual(await callsOf(other, 50))
  })
})

describe('what the real tool gave', () => {
  const real = structuredAnswer({ notes: [{ id: 'r7', title: 'from life' }], count: 1 })

  test('comes first, exactly as it was', async () => {
    const file = freshFile()
    await (await answersIn(file)).keep({
      tool: 'list_notes',
      arguments: {},
      state: startState.key,
      answer: real,
      from: 'real',
    })
    const imitator = scriptedImitator(playNotes)
    const session = (await simulationOver(file, { imitator })).session()
    expect(await session.call('list_notes', {})).toEqual({ ...real, from: 'real' })
    expect(imitator.asked).toHaveLength(0)
  })

  test('is shown to the model as an example of other calls', async () => {
    const file = freshFile()
    const found = structuredAnswer({ id: 'r7', title: 'from life' })
    await (await answersIn(file)).keep({
      tool: 'get_note',
      arguments: { id: 'r7' },
      state: startState.key,
      answer: found,
      from: 'real',
    })
    const imitator = scriptedImitator(playNotes)
    await (await simulationOver(file, { imitator })).session().call('get_note', { id: 'r8' })
    expect(imitator.asked[0]?.examples).toMatchObject([{ arguments: { id: 'r7' } }])
  })

  test('does not hide what the session itself created', async () => {
    const file = freshFile()
    await (await answersIn(file)).keep({
      tool: 'list_notes',
      arguments: {},
      state: startState.key,
      answer: real,
      from: 'real',
    })
    const session = (await simulationOver(file)).session()
    expect((await session.call('list_notes', {})).from).toBe('real')
    await session.call('create_note', { title: 'mine' })
    expect((await session.call('list_notes', {})).structured).toMatchObject({ notes: [{ title: 'mine' }] })
  })

  test.each(['simulate', 'replay'] as const)('is not told of a state that is past (%s)', async (mode) => {
    const file = freshFile()
    const store = await answersIn(file)
    const call = { arguments: { id: 'n1' }, state: startState.key, from: 'real' } as const
    await store.keep({ ...call, tool: 'get_note', answer: structuredAnswer({ id: 'n1', title: 'milk' }) })
    await store.keep({ ...call, tool: 'delete_note', answer: structuredAnswer({ deleted: true }) })
    const session = (await simulationOver(file, { mode })).session()
    expect((await session.call('get_note', { id: 'n1' })).from).toBe('real')
    expect((await session.call('delete_note', { id: 'n1' })).from).toBe('real')
    expect(await session.call('get_note', { id: 'n1' })).toMatchObject({
      failed: true,
      from: mode === 'replay' ? 'nobody' : 'made-up',
    })
  })

  test('is recorded when the server is opened for it, and replayed in the same order', async () => {
    const file = freshFile()
    const imitator = scriptedImitator(playNotes)
    let [called, history] = [0, [] as Parameters<typeof playNotes>[0]['history']]
    const server = await simulationOver(file, {
      mode: 'record',
      imitator,
      async real(tool, given) {
        called += 1
        const answer = playNotes({ server: 'notes', tool, arguments: given, history, examples: [] })
        history = [...history, { tool: tool.name, arguments: given, answer, changes: !answer.failed }]
        return answer
      },
    })
    const first = await callsOf(server, 40)
    expect(called).toBe(40)
    expect(imitator.asked).toHaveLength(0)
    expect(await callsOf(await simulationOver(file, { mode: 'replay' }), 40)).toEqual(first)
  })

  test('that could not be called is told, and nothing else is asked', async () => {
    const server = await simulationOver(freshFile(), {
      mode: 'record',
      real: async () => {
        throw new Error('The user has not allowed its server.')
      },
    })
    expect(await server.session().call('list_notes', {})).toMatchObject({
      failed: true,
      content: [{ text: 'list_notes gave nothing to record: The user has not allowed its server.' }],
    })
  })
})

test('a call that was never recorded is told so on replay', async () => {
  const session = (await simulationOver(freshFile(), { mode: 'replay' })).session()
  expect(await session.call('list_notes', {})).toMatchObject({
    failed: true,
    from: 'nobody',
    content: [{ text: expect.stringContaining('no recording of list_notes') }],
  })
})

test('arguments that do not fit are refused as a server would, and leave the state alone', async () => {
  const session = (await simulationOver(freshFile(), { imitator: scriptedImitator(playNotes) })).session()
  expect(await session.call('create_note', { name: 'milk' })).toMatchObject({ failed: true, from: 'nobody' })
  expect((await session.call('list_notes', {})).structured).toEqual({ notes: [], count: 0 })
  await expect(session.call('burn_note', {})).rejects.toThrow(UnknownToolError)
})

test('a caller who gives up stops the call', async () => {
  const server = await simulationOver(freshFile(), { faults: { latency: 60_000 } })
  const stop = new AbortController()
  const call = server.session().call('list_notes', {}, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(call).rejects.toThrow(/enough|aborted/)
})

test('secrets are masked in what is kept, and the same call finds it again', async () => {
  const file = freshFile()
  const token = `ghp_${'a1b2'.repeat(9)}`
  const given = { title: `use ${token}`, password: 'hunter2 is it' }
  const imitator = scriptedImitator(() => structuredAnswer({ note: { id: 'n1', title: token } }))
  const tools = (await simulationOver(file)).tools.map((card) => ({
    ...card,
    inputSchema: { type: 'object' },
  }))
  await (await simulationOver(file, { imitator, tools })).session().call('create_note', given)
  const kept = readFileSync(file, 'utf8')
  expect(kept).not.toContain(token)
  expect(kept).not.toContain('hunter2')
  const replayed = (await simulationOver(file, { mode: 'replay', tools })).session()
  expect((await replayed.call('create_note', given)).structured).toEqual({ note: { id: 'n1', title: '***' } })
})

test('a call with another secret is not answered by what was recorded', async () => {
  const file = freshFile()
  const answer = structuredAnswer({ note: { id: 'n1', title: 'in' } })
  const call = { tool: 'create_note', state: startState.key, answer, from: 'real' } as const
  await (await answersIn(file)).keep({ ...call, arguments: { title: 'log in', password: 'right' } })
  appendFileSync(
    file, // as it was kept before there were hashes
    `${JSON.stringify({ ...call, arguments: { title: 'old', password: '***' } })}\n`,
  )
  expect(readFileSync(file, 'utf8')).not.toContain('right')
  expect(statSync(join(dirname(file), 'secrets.key')).mode & 0o777).toBe(0o600)
  const tools = (await simulationOver(file)).tools.map((card) => ({
    ...card,
    inputSchema: { type: 'object' },
  }))
  const from = async (args: JsonObject): Promise<string> =>
    (await (await simulationOver(file, { tools })).session().call('create_note', args)).from
  expect(await from({ title: 'log in', password: 'right' })).toBe('real')
  expect(await from({ title: 'log in', password: 'wrong' })).toBe('made-up')
  expect(await from({ title: 'old', password: 'any' })).toBe('made-up')
})

test('a damaged line of the file is passed over', async () => {
  const file = freshFile()
  await (await simulationOver(file)).session().call('list_notes', {})
  appendFileSync(file, '{"tool":"list_notes","argum\n')
  const replayed = (await simulationOver(file, { mode: 'replay' })).session()
  expect(await replayed.call('list_notes', {})).toMatchObject({ failed: false, from: 'made-up' })
})

/** Calls of one session, drawn by a seed, and what each gave. */
async function callsOf(
  server: Awaited<ReturnType<typeof simulationOver>>,
  count: number,
): Promise<readonly string[]> {
  const session = server.session()
  const random = mulberry32(7)
  const pick = (most: number) => 1 + Math.floor(random() * most)
  const answers: string[] = []
  for (let at = 0; at < count; at += 1) {
    const id = `n${pick(count / 10)}`
    const [tool, args] = [
      ['list_notes', {}],
      ['get_note', { id }],
      ['get_note', { id }],
      ['create_note', { title: `note ${pick(5)}` }],
      ['delete_note', { id }],
    ][pick(5) - 1] as [string, JsonObject]
    answers.push(JSON.stringify(await session.call(tool, args)))
  }
  return answers
}

test('what cannot be written is told to who kept it, and the next one is written', async () => {
  const file = freshFile()
  const store = await answersIn(file)
  const answer = structuredAnswer({ notes: [], count: 0 })
  const call = { tool: 'list_notes', arguments: {}, state: startState.key, answer, from: 'real' } as const
  mkdirSync(file)
  await expect(store.keep(call)).rejects.toThrow('EISDIR')
  rmdirSync(file)
  await store.keep(call)
  expect((await answersIn(file)).find(call)).toMatchObject({ from: 'real' })
})
