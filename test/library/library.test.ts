import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type AuditionOptions,
  grantsFor,
  openAudition,
  rank,
  RemedyError,
  UnknownCardError,
} from '../../src/index.ts'
import { configFrom } from '../../src/config.ts'
import { configOf } from '../../src/library/open-audition.ts'
import { storeFolder } from '../adapters/lancedb/stores.ts'
import { folderWith } from '../catalog/temporary-folder.ts'

async function opened(options: AuditionOptions) {
  const audition = await openAudition(options)
  onTestFinished(() => audition.close())
  return audition
}

const calendar = { name: 'create_event', description: 'Put an appointment into the calendar' }
const mail = { name: 'send_email', description: 'Send an email to somebody' }
const disk = { name: 'delete_file', description: 'Delete a file from the disk' }
const wish = 'put lunch with Ada into my calendar'

test('a list is ranked in memory, plain or as MCP gives it, and gives its own objects back', async () => {
  const schema = { type: 'object', properties: { start: { type: 'string' } } }
  const listed = {
    ...calendar,
    inputSchema: schema,
    annotations: { readOnlyHint: false },
    _meta: { mine: 1 },
  }
  const plain = await rank([mail, calendar, disk], wish)
  const asMcp = await rank({ tools: [mail, listed, disk] }, wish)
  expect(plain).toMatchObject({ match: 'good', ranker: 'learned', problems: [] })
  expect(plain.tools[0]!.tool).toBe(calendar)
  expect(asMcp.tools[0]!.tool).toBe(listed)
  expect(plain.tools.map(({ score }) => score)).toEqual(
    plain.tools.map(({ score }) => score).sort((a, b) => b - a),
  )
  expect((await rank([mail, calendar, disk], wish, { k: 1 })).tools).toHaveLength(1)
})

test('nothing in the list serves: the verdict says so', async () => {
  expect((await rank([mail, disk], 'tune a grand piano')).match).not.toBe('good')
  expect(await rank([], wish)).toMatchObject({ match: 'none', tools: [] })
})

test('equal names of several servers stay apart, and equal tools stand as they were given', async () => {
  const twice = [{ ...calendar }, { ...calendar }, mail]
  const { tools } = await rank(twice, wish)
  expect(tools.slice(0, 2).map(({ tool }) => twice.indexOf(tool as (typeof twice)[number]))).toEqual([0, 1])
})

test('malformed tools are told and left out', async () => {
  const broken: unknown = [null, { name: '' }, { ...mail, inputSchema: 'none' }, calendar]
  const { tools, problems } = await rank(broken as readonly { readonly name: string }[], wish)
  expect(tools.map(({ tool }) => tool.name)).toEqual(['create_event'])
  expect(problems.map(({ field }) => field)).toEqual(['tools[0]', 'tools[1].name', 'tools[2].inputSchema'])
  const mistake: unknown = await rank('tools' as unknown as [], wish).catch((error: unknown) => error)
  expect(RemedyError.isInstance(mistake)).toBe(true)
})

test('a list needs no store, and makes none', async () => {
  const home = storeFolder()
  const audition = await opened({ home, model: 'none', environment: {} })
  expect(await audition.rank([mail, calendar], wish)).toMatchObject({
    ranker: 'lexical',
    match: expect.any(String),
  })
  expect(existsSync(home)).toBe(false)
})

test('the environment says what the program does not', () => {
  const environment = { AUDITION_HOME: '/from/environment', AUDITION_MODEL: 'none', AUDITION_THREADS: '3' }
  expect(configOf({ environment })).toEqual(configFrom(environment))
  expect(configOf({ environment, home: '/own', model: null, searchThreads: 2 })).toMatchObject({
    home: expect.stringMatching(/own$/),
    model: null,
    searchThreads: 2,
  })
  expect(configOf({ environment, home: undefined })).toEqual(configFrom(environment))
  expect(configOf({}).home).toBe(configFrom(process.env).home)
})

const asJavaScript = (given: unknown): never => given as never

test.each([
  { given: { kind: 'banana', query: 'x' }, says: '"kind" is "banana" but must be one of "tool", "agent".' },
  { given: { query: 'x' }, says: '"kind" is missing: "tool" or "agent".' },
  { given: { kind: 'tool', query: ' ' }, says: '"query" is "" but must be a text that is not empty.' },
  { given: { kind: 'tool', query: 'x', k: 0 }, says: '"k" is 0 but must be at least 1.' },
  { given: { kind: 'tool', query: 'x', k: 2.5 }, says: '"k" is 2.5 but must be an integer.' },
  {
    given: { kind: 'tool', query: 'x', ranker: 'best' },
    says: '"ranker" is "best" but must be one of "auto",',
  },
  {
    given: { kind: 'tool', query: 'x', filter: { tags: 'a' } },
    says: '"filter.tags" is "a" but must be an array.',
  },
  { given: undefined, says: 'search takes an object with kind, query, k,' },
])('a search for $given is refused as the tools of the server refuse it', async ({ given, says }) => {
  const home = storeFolder()
  const audition = await opened({ home, model: 'none' })
  await expect(audition.search(asJavaScript(given))).rejects.toMatchObject({
    name: 'ArgumentError',
    message: expect.stringContaining(says),
    remedy: expect.stringMatching(/^Right would be: search\(\{ kind/u),
  })
  expect(existsSync(home)).toBe(false)
})

test('what the other methods cannot meet is refused likewise', async () => {
  const audition = await opened({ home: storeFolder(), model: 'none' })
  const least = { name: 'ArgumentError', message: '"k" is 0 but must be at least 1.' }
  await expect(rank([mail], wish, { k: 0 })).rejects.toMatchObject(least)
  await expect(audition.rank([mail], wish, { k: 0 })).rejects.toMatchObject(least)
  await expect(audition.compose(wish, { k: 0 })).rejects.toMatchObject(least)
  await expect(rank([mail], '')).rejects.toMatchObject({ message: expect.stringContaining('"query" is ""') })
  await expect(audition.cards(asJavaScript('a/b'))).rejects.toMatchObject({
    message: '"ids" is "a/b" but must be an array.',
  })
})

test('requests longer than a model may give are read as far as they are read', async () => {
  expect((await rank([mail, calendar], `${wish}. ${'Thank you. '.repeat(1_000)}`)).tools).not.toEqual([])
})

test('nothing is asked of a library that was closed, and to close it again does nothing', async () => {
  const audition = await openAudition({ home: storeFolder(), model: 'none' })
  await audition.close()
  await audition.close()
  for (const asked of [
    () => audition.search({ kind: 'tool', query: 'x' }),
    () => audition.rank([mail], wish),
    () => audition.cards([]),
  ])
    await expect(asked()).rejects.toMatchObject({
      name: 'ClosedError',
      message: expect.stringContaining('() was asked of a library that is closed.'),
      remedy: expect.stringContaining('openAudition()'),
    })
})

test('a mistyped id names those that are close', async () => {
  const folder = folderWith({
    'tools.json': JSON.stringify([
      {
        type: 'function',
        function: { name: 'weigh_parcel', description: 'Weighs', parameters: { type: 'object' } },
      },
    ]),
  })
  const audition = await opened({ home: storeFolder(), model: 'none' })
  await audition.index({ locations: [folder] })
  const refused: unknown = await audition
    .probe({ cards: ['tools/weigh_parcels'] })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(UnknownCardError)
  expect(refused).toMatchObject({ closest: ['tools/weigh_parcel'] })
  await expect(audition.probe({ cards: ['demo-profiles/tally-south'] })).rejects.toMatchObject({
    name: 'UnknownCardError',
    remedy: expect.stringContaining('`audition index bundled:demo` brings it back.'),
  })
})

test('what a plan would start can be allowed for one call', async () => {
  const run = { command: 'node', args: ['-e', '0'] }
  const agent = `profile: audition/v1\nname: echo\ndescription: Says what it hears\nexamples: [say hello]\nrun: ${JSON.stringify(run)}\n`
  const folder = folderWith({ 'echo.yaml': agent })
  const settings = join(folder, 'none', 'settings.yaml')
  const audition = await opened({ home: storeFolder(), model: 'none', settings })
  await audition.index({ locations: [folder] })
  const { candidates } = await audition.search({ kind: 'agent', query: 'says what it hears' })
  const cards = candidates.map(({ card }) => card)
  const plans = await audition.plan({ cards })
  expect(plans.map(({ notRun }) => notRun?.kind)).toEqual(['permission'])
  const allow = plans.flatMap(({ launch, notRun }) =>
    launch !== null && notRun?.kind === 'permission' ? grantsFor(notRun.missing, launch) : [],
  )
  expect((await audition.plan({ cards, allow })).map(({ notRun }) => notRun)).toEqual([null])
})

test.each([
  { page: 'docs/library.md', named: (name: string) => [`\`${name}\``, `\`${name}(`] },
  {
    page: 'docs/api/audition-mcp.md',
    named: (name: string) => [`\n### ${name}\n`, `\n### ${name}()\n`, `\n### ${name}\\<`],
  },
])('$page names every export', ({ page, named }) => {
  const root = join(import.meta.dirname, '..', '..')
  const source = readFileSync(join(root, 'src', 'index.ts'), 'utf8')
  const docs = readFileSync(join(root, page), 'utf8')
  const names = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) =>
    list!.split(',').flatMap((name) => name.trim().split(' as ').at(-1) || []),
  )
  expect(names.length).toBeGreaterThan(90)
  expect(names.filter((name) => !named(name).some((form) => docs.includes(form)))).toEqual([])
})

test('a list that was ranked before is read anew where a tool says something else', async () => {
  const tool = { name: 'do_it', description: 'Delete a file from the disk' }
  const list = [mail, tool]
  expect((await rank(list, wish)).match).not.toBe('good')
  tool.description = calendar.description
  const { tools, match } = await rank(list, wish)
  expect({ first: tools[0]!.tool, match }).toEqual({ first: tool, match: 'good' })
  const again = { ...tool }
  expect((await rank([mail, again], wish)).tools[0]!.tool).toBe(again)
})

test('a list that cannot be written down is ranked all the same', async () => {
  const round: Record<string, unknown> = { type: 'object' }
  round.toJSON = () => {
    throw new Error('no')
  }
  const { tools } = await rank([mail, { ...calendar, inputSchema: round }], wish)
  expect(tools[0]!.tool.name).toBe('create_event')
})
