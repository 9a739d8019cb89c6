import { writing } from '../fakes/indexed-store.ts'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { indexSources } from '../../src/indexing/index-sources.ts'
import { placesIn } from '../../src/store/source-review.ts'
import { openSources } from '../../src/indexing/open-sources.ts'
import type { SourceSurroundings } from '../../src/indexing/open-source.ts'
import { decideTrust } from '../../src/trust/review/decide.ts'
import { a2aCard } from '../fixtures/a2a-card.ts'
import { compileScript } from '../fixtures/compile-script.ts'
import { folderWith, temporaryFolder } from './temporary-folder.ts'

const surroundings: SourceSurroundings = {
  harvester: { harvest: () => Promise.reject(new Error('no server is asked here')) },
  fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
  label: (path) => path,
}

/** A LanceDB store, and what is in it. */
function store() {
  const home = join(temporaryFolder(), 'store')
  const using = writing(home)
  return {
    index: (...locations: readonly string[]) =>
      using((writer) => indexSources(writer, surroundings, { locations })),
    indexFound: (...locations: readonly string[]) =>
      using((writer) => indexSources(writer, surroundings, { locations, found: locations })),
    distrust: (id: string) => using((writer) => decideTrust(writer, [id], 'untrusted')),
    ids: () => using(async (writer) => (await writer.ids()).map(({ id }) => id).sort()),
    sources: () => using((writer) => writer.sources()),
    reviews: () =>
      using(async (writer) => (await writer.reviews()).filter(({ place }) => place === undefined)),
    places: () => using(async (writer) => placesIn(await writer.reviews())),
  }
}

const agent = (name: string, description = `Does ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\ntools: Read\n---\nYou are ${name}.\n`

const functions = (name: string): string =>
  JSON.stringify([
    { type: 'function', function: { name, description: `Does ${name}`, parameters: { type: 'object' } } },
  ])

const isWindows = process.platform === 'win32'

/** Ways in which a place cannot be read, for the super-user too. */
const spoiled: readonly {
  readonly why: string
  readonly place: string
  readonly spoil: (path: string) => void
}[] = [
  {
    why: 'a file in Latin-1',
    place: 'one.md',
    spoil: (path) => writeFileSync(path, Buffer.from(agent('ann', 'Prüft'), 'latin1')),
  },
  { why: 'a file that is binary', place: 'one.md', spoil: (path) => writeFileSync(path, '\u0000') },
  {
    why: 'a card whose JSON broke',
    place: 'planner.json',
    spoil: (path) => writeFileSync(path, '{"name": '),
  },
  { why: 'a link to itself in place of a file', place: 'one.md', spoil: (path) => loop(path) },
  { why: 'a link to itself in place of a folder', place: 'sub', spoil: (path) => loop(path) },
]

function loop(path: string): void {
  rmSync(path, { recursive: true, force: true })
  symlinkSync(path, path)
}

describe('a part of a folder that cannot be read', () => {
  test.skipIf(isWindows).each(spoiled)(
    'keeps its cards and is told, by the source too: $why',
    async ({ place, spoil }) => {
      const { index, ids, sources } = store()
      const root = folderWith({
        'team/one.md': agent('ann'),
        'team/planner.json': a2aCard('planner'),
        'team/sub/three.md': agent('eve'),
        'team/left.md': agent('gone'),
      })
      const folder = join(root, 'team')
      await index(folder)
      rmSync(join(folder, 'left.md'))
      const path = join(folder, place)
      renameSync(path, join(root, 'safe'))
      spoil(path)

      const { problems, sources: reports } = await index(folder)
      expect(problems).toEqual([])
      expect(reports).toEqual([
        expect.objectContaining({
          source: 'team',
          unchanged: 3,
          removed: 1,
          unread: [path],
          problems: [expect.objectContaining({ severity: 'error', file: path })],
        }),
      ])
      expect(await ids()).toEqual(['team/ann', 'team/eve', 'team/planner'])
      expect(await sources()).toEqual([
        expect.objectContaining({ agents: 3, problems: reports[0]!.problems }),
      ])
      expect((await index(folder)).sources).toMatchObject([
        { unchanged: 3, unread: [path], problems: [{ file: path }] },
      ])

      rmSync(path, { recursive: true })
      renameSync(join(root, 'safe'), path)
      const again = await index(folder)
      expect(again.sources[0]).not.toHaveProperty('unread')
      expect(await sources()).toEqual([expect.objectContaining({ agents: 3, problems: [] })])
      expect(await ids()).toEqual(['team/ann', 'team/eve', 'team/planner'])
    },
  )

  test('is remembered with the source up to fifty times, and how many more there were', async () => {
    const { index, sources } = store()
    const broken = Array.from({ length: 53 }, (_, number) => [`team/${number}.json`, '{"a": '])
    const root = folderWith({ ...Object.fromEntries(broken), 'team/a.md': agent('ann') })
    expect((await index(join(root, 'team'))).sources[0]?.problems).toHaveLength(53)
    const [team] = await sources()
    expect(team?.problems).toHaveLength(51)
    expect(team?.problems.at(-1)?.message).toBe('has 3 more problems that were not kept')
  })

  test('keeps the ids of cards that have one name', async () => {
    const { index, ids } = store()
    const folder = folderWith({ 'team/a.md': agent('ann'), 'team/b.md': agent('ann', 'Another one') })
    await index(join(folder, 'team'))
    writeFileSync(join(folder, 'team/a.md'), '\u0000')
    const { sources } = await index(join(folder, 'team'))
    expect(sources).toMatchObject([{ added: 0, changed: 0, unchanged: 2, removed: 0 }])
    expect(await ids()).toEqual(['team/ann', 'team/ann~2'])
  })

  test('keeps what is held of it', async () => {
    const { index, distrust, reviews } = store()
    const folder = join(folderWith({ 'team/a.md': agent('ann'), 'team/b.md': agent('bob') }), 'team')
    await index(folder)
    await distrust('team')
    writeFileSync(join(folder, 'a.md'), agent('ann', 'Says something else'))
    await index(folder)
    const before = await reviews()
    expect(before).toMatchObject([{ decision: 'untrusted', held: [{ card: { id: 'team/ann' } }] }])
    writeFileSync(join(folder, 'a.md'), '\u0000')
    const { sources } = await index(folder)
    expect(sources).toMatchObject([{ unchanged: 2, removed: 0, held: { changed: 1 } }])
    expect(await reviews()).toEqual(before)
  })
})

describe('a source of which nothing can be read', () => {
  test('fails and keeps its cards and decisions: a folder whose only card cannot be read', async () => {
    const { index, distrust, ids, sources, reviews } = store()
    const folder = join(folderWith({ 'team/a.md': agent('ann'), 'team/b.md': agent('bob') }), 'team')
    await index(folder)
    await distrust('team')
    writeFileSync(join(folder, 'a.md'), '\u0000')
    writeFileSync(join(folder, 'b.md'), '\u0000')
    const { problems, sources: reports } = await index(folder)
    expect(problems).toEqual([])
    expect(reports).toMatchObject([
      {
        source: 'team',
        unchanged: 2,
        removed: 0,
        failure: { message: expect.stringContaining(`${join(folder, 'a.md')}: is binary`) },
        problems: [{ file: join(folder, 'b.md') }],
      },
    ])
    expect(await ids()).toEqual(['team/ann', 'team/bob'])
    expect(await reviews()).toMatchObject([{ key: 'team', decision: 'untrusted' }])
    expect(await sources()).toMatchObject([
      { failure: expect.stringContaining('a.md'), problems: [{ file: join(folder, 'b.md') }], agents: 2 },
    ])
    writeFileSync(join(folder, 'a.md'), agent('ann'))
    await index(folder)
    expect((await sources())[0]).not.toHaveProperty('failure')
  })

  test.skipIf(isWindows)(
    'fails and keeps its cards: a catalog file, and what lies below a closed place',
    async () => {
      const { index, ids } = store()
      const folder = folderWith({
        'tools.json': functions('weigh'),
        'keep.json': functions('keep'),
        'sub/other.json': functions('wrap'),
      })
      await index(folder)
      writeFileSync(join(folder, 'tools.json'), '\u0000')
      loop(join(folder, 'sub'))
      const { problems, sources } = await index(folder)
      expect(problems).toEqual([])
      expect(sources.map(({ source, failure }) => [source, failure?.message.split(': ')[0]])).toEqual([
        ['keep', undefined],
        ['other', join(folder, 'sub')],
        ['tools', join(folder, 'tools.json')],
      ])
      expect(await ids()).toEqual(['keep/keep', 'other/wrap', 'tools/weigh'])
    },
  )

  test.skipIf(isWindows)('fails, and the run goes on: a location that cannot even be looked at', async () => {
    const { index, ids } = store()
    const root = folderWith({ 'team/a.md': agent('ann'), 'tools.json': functions('weigh') })
    await index(join(root, 'team'), join(root, 'tools.json'))
    loop(join(root, 'team'))
    const { sources } = await index(join(root, 'team'), join(root, 'tools.json'))
    expect(sources).toMatchObject([
      { source: 'tools', unchanged: 1 },
      { source: 'team', unchanged: 1, failure: { message: expect.stringContaining('ELOOP') } },
    ])
    expect(await ids()).toEqual(['team/ann', 'tools/weigh'])
  })

  test('is forgotten all the same when its cards came from elsewhere', async () => {
    const { index, sources } = store()
    const folder = join(folderWith({ 'team/a.md': agent('ann') }), 'team')
    await index(folder)
    rmSync(join(folder, 'a.md'))
    writeFileSync(join(folder, 'notes.json'), '{"a": ')
    const { problems, sources: reports } = await index(folder)
    expect(reports).toMatchObject([{ source: 'team', removed: 1 }])
    expect(problems).toMatchObject([{ file: join(folder, 'notes.json') }])
    expect(await sources()).toEqual([])
  })
})

test('a catalog file that is gone is forgotten, though another file of its folder cannot be read', async () => {
  const { index, ids } = store()
  const folder = folderWith({
    'on.json': functions('on'),
    'off.json': functions('off'),
    'old.json': functions('old'),
  })
  await index(folder)
  writeFileSync(join(folder, 'old.json'), Buffer.from('["\xe9"]', 'latin1'))
  rmSync(join(folder, 'off.json'))
  const { sources } = await index(folder)
  expect(sources.map(({ source, removed, failure }) => [source, removed, failure !== undefined])).toEqual([
    ['on', 0, false],
    ['old', 0, true],
    ['off', 1, false],
  ])
  expect(await ids()).toEqual(['old/old', 'on/on'])
})

test('what is left out of a folder is remembered until it can be read, or is gone', async () => {
  const { index, places } = store()
  const folder = folderWith({
    'world.json': functions('tell'),
    'half.json': '[{"type": "fun',
    'old.json': '\u0000',
  })
  const leftOut = async () => (await places()).flatMap(({ problems }) => problems.map(({ file }) => file))
  await index(folder)
  expect(await leftOut()).toEqual([join(folder, 'half.json'), join(folder, 'old.json')])
  writeFileSync(join(folder, 'half.json'), functions('half'))
  await index(folder)
  expect(await leftOut()).toEqual([join(folder, 'old.json')])
  rmSync(join(folder, 'old.json'))
  await index(folder)
  expect(await leftOut()).toEqual([])
})

test.skipIf(isWindows)('a link that leads nowhere is like a file that is not there', async () => {
  const folder = folderWith({ 'a.md': agent('ann') })
  symlinkSync(join(folder, 'nothing'), join(folder, 'b.md'))
  const { unread, walked } = await openSources(folder, surroundings, new AbortController().signal)
  expect({ unread, walked }).toEqual({ unread: [], walked: [folder] })
})

describe('a location that gives no source', () => {
  test.each([
    { why: 'an empty folder', files: {}, location: '', says: 'holds no agent, tool or MCP server' },
    { why: 'a folder of notes', files: { 'a.md': '# Notes' }, location: '', says: 'holds no agent' },
    {
      why: 'a configuration without servers',
      files: { '.mcp.json': '{"mcpServers": {}}' },
      location: '.mcp.json',
      says: 'holds no agent, tool or MCP server',
    },
  ])('is warned of: $why', async ({ files, location, says }) => {
    const { index } = store()
    const folder = folderWith({ 'tools.json': functions('weigh'), 'here/x': '' })
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, 'here', path), text)
    const place = join(folder, 'here', location)
    const { problems } = await index(join(folder, 'tools.json'), place)
    expect(problems).toEqual([
      expect.objectContaining({ severity: 'warning', file: place, message: expect.stringContaining(says) }),
    ])
  })

  test('is passed over when nobody named it', async () => {
    const { indexFound } = store()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    writeFileSync(join(folder, '.mcp.json'), '{"mcpServers": {}}')
    const { problems, sources } = await indexFound(join(folder, '.mcp.json'), join(folder, 'tools.json'))
    expect(problems).toEqual([])
    expect(sources.map(({ source }) => source)).toEqual(['tools'])
  })
})

/** The user that the script becomes when it is started by the super-user. */
const nobody = 65534

// Windows has no such modes; everywhere else the process gives up the rights of the super-user, if it has them.
test.skipIf(isWindows)(
  'folders and files that another user may not read keep cards, sources and decisions',
  () => {
    const compiled = compileScript('test/fixtures/unreadable-places.ts')
    onTestFinished(() => compiled.remove())
    const root = folderWith({
      'ds/one.md': agent('ann'),
      'ds/sub/two.md': agent('bob'),
      'ds/sub/three.md': agent('eve'),
      'outside/four.md': agent('dan'),
      'store/x': '',
    })
    symlinkSync(join(root, 'outside'), join(root, 'ds/link'))
    if (process.getuid?.() === 0) {
      for (const path of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
        chownSync(join(root, path), nobody, nobody)
    }
    chmodSync(root, 0o755)
    const folder = join(root, 'ds')
    const places = ['', 'sub', 'one.md', 'link']
    const outcomes: unknown = JSON.parse(
      execFileSync(process.execPath, [compiled.script, join(root, 'store/home'), folder, ...places], {
        encoding: 'utf8',
      }),
    )
    const same = {
      removed: 0,
      failed: [],
      told: [],
      cards: ['team/ann', 'team/bob', 'team/dan', 'team/eve'],
      trust: ['team untrusted'],
    }
    expect(outcomes).toEqual([
      { ...same, step: 'first' },
      { ...same, step: 'closed ', failed: ['team'] },
      { ...same, step: 'open ' },
      ...places.slice(1).flatMap((place) => [
        { ...same, step: `closed ${place}`, told: [place] },
        { ...same, step: `open ${place}` },
      ]),
    ])
  },
)
