import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundledSources, locationsMeant, returnOf } from '../../../src/catalog/bundled-parts.ts'
import type { IndexOptions } from '../../../src/indexing/index-report.ts'
import { indexSources } from '../../../src/indexing/index-sources.ts'
import type { SourceState } from '../../../src/store/source-state.ts'
import { removeSources } from '../../../src/trust/review/retire.ts'
import { type MemoryCatalog, memoryCatalog } from '../../fakes/memory-catalog.ts'
import { folderWith, temporaryFolder } from '../../catalog/temporary-folder.ts'

const agent = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name} well.\ntools: Read\n---\nYou are ${name}.\n`

const functions = (...names: readonly string[]): string =>
  JSON.stringify(
    names.map((name) => ({
      type: 'function',
      function: { name, description: `Does ${name}`, parameters: { type: 'object', properties: {} } },
    })),
  )

/** An installation of Audition, with the smallest catalog that has every part. */
function installation(root = temporaryFolder()): string {
  const files = {
    'package.json': '{"name": "audition-mcp"}',
    'catalog/profiles/tutor.md': agent('tutor'),
    'catalog/profiles/planner.md': agent('planner'),
    'catalog/demo/profiles/measure-amber.md': agent('measure-amber'),
    'catalog/mcp.json': JSON.stringify({
      mcpServers: { 'audition-text': { command: 'node', args: [`\${AUDITION_CATALOG}/servers/text.js`] } },
    }),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** The store of one user, indexed from one installation or another. */
function user(catalog: MemoryCatalog = memoryCatalog()) {
  const writing = async <T>(use: (writer: Awaited<ReturnType<MemoryCatalog['writer']>>) => Promise<T>) => {
    const writer = await catalog.writer()
    try {
      return await use(writer)
    } finally {
      await writer.close()
    }
  }
  return {
    writing,
    index: (root: string | undefined, options: IndexOptions) =>
      writing((writer) =>
        indexSources(
          writer,
          {
            harvester: {
              harvest: async ({ name }) => ({
                server: { name, version: '1' },
                tools: [{ name: 'count', description: 'Counts words', inputSchema: { type: 'object' } }],
              }),
            },
            fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
            label: (path) => path,
            ...(root === undefined ? {} : { bundledFolder: join(root, 'catalog') }),
          },
          options,
        ),
      ),
    remove: (root: string, ...words: readonly string[]) =>
      writing((writer) => removeSources(writer, words, join(root, 'catalog'))),
    sources: async () =>
      Object.fromEntries((await catalog.reader().sources()).map(({ id, location }) => [id, location])),
    states: () => catalog.reader().sources(),
    catalog,
  }
}

/** What `audition index` reads without a source: nobody named it. */
const unnamed = (...more: readonly string[]): IndexOptions => {
  const locations = [...more, 'bundled:profiles', 'bundled:servers']
  return { locations, found: locations }
}

const ours = {
  'audition-text': 'bundled:servers#audition-text',
  'catalog-profiles': 'bundled:profiles',
}

describe('the bundled catalog', () => {
  test('is the same sources wherever the installation lies', async () => {
    const root = installation()
    const { index, sources } = user()
    await index(root, unnamed())
    expect(await sources()).toEqual(ours)
    const moved = join(temporaryFolder(), 'elsewhere')
    renameSync(root, moved)
    const report = await index(moved, unnamed())
    expect(await sources()).toEqual(ours)
    expect(report.problems).toEqual([])
    expect(report.sources.map(({ added, removed }) => added + removed)).toEqual([0, 0])
  })

  test('that two installations have is one, also where its path is named', async () => {
    const [one, other] = [installation(), installation()]
    const { index, sources } = user()
    await index(one, unnamed())
    await index(other, { locations: [join(one, 'catalog', 'profiles'), join(one, 'catalog', 'mcp.json')] })
    await index(other, { locations: [`${join(one, 'catalog', 'mcp.json')}#audition-text`] })
    expect(await sources()).toEqual(ours)
    expect(locationsMeant(join(one, 'catalog'), join(other, 'catalog'))).toEqual([
      'bundled:profiles',
      'bundled:servers',
      'bundled:demo',
    ])
  })

  test('its sources are known by their ids, so that a card of one that is away can be told to be ours', async () => {
    const root = installation()
    const { index, sources } = user()
    await index(root, { locations: ['bundled:', 'bundled:demo'] })
    expect(bundledSources).toMatchObject(
      Object.fromEntries(
        Object.entries(await sources()).map(([id, location]) => [id, location.replace(/#.*/u, '')]),
      ),
    )
    const { mcpServers } = JSON.parse(readFileSync('catalog/mcp.json', 'utf8'))
    const servers = Object.entries(bundledSources).filter(([, part]) => part === 'bundled:servers')
    expect(servers.map(([id]) => id)).toEqual(Object.keys(mcpServers))
  })

  test.each([
    { id: 'demo-profiles/tally-south', there: [], says: '`audition index bundled:demo` brings it back.' },
    {
      id: 'catalog-profiles/tutor',
      there: ['demo-profiles'],
      says: '`audition index bundled` brings it back.',
    },
    { id: 'audition-text/split', there: [], says: '`audition index bundled` brings it back.' },
    { id: 'demo-profiles/tally', there: ['demo-profiles'], says: undefined },
    { id: 'team/clerk', there: [], says: undefined },
    { id: 'constructor/x', there: [], says: undefined },
  ])('$id, beside $there, comes back by $says', async ({ id, there, says }) => {
    const said = await returnOf(id, async () => there.map((source) => ({ id: source })))
    expect(said?.replace(/^.*: /u, '')).toBe(says)
  })

  test('removed stays removed, from any installation, until it is named again', async () => {
    const [one, other] = [installation(), installation()]
    const { index, remove, sources } = user()
    await index(one, unnamed())
    await remove(one, 'catalog-profiles')
    await index(one, unnamed())
    await index(other, unnamed())
    expect(await sources()).toEqual({ 'audition-text': ours['audition-text'] })
    await remove(other, 'bundled')
    await index(one, unnamed())
    expect(await sources()).toEqual({})
    await index(one, { locations: ['bundled:'] })
    expect(await sources()).toEqual(ours)
    await index(one, unnamed())
    expect(await sources()).toEqual(ours)
  })

  test('one server of it that was removed stays so beside the other parts', async () => {
    const root = installation()
    const { index, remove, sources } = user()
    await index(root, unnamed())
    await remove(root, 'audition-text')
    await index(root, unnamed())
    expect(await sources()).toEqual({ 'catalog-profiles': 'bundled:profiles' })
  })

  test('leaves search when the user has something of their own, whichever way that came in', async () => {
    const root = installation()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    for (const options of [unnamed(folder), { locations: [folder] }]) {
      const { index, sources, catalog } = user()
      await index(root, {
        ...unnamed(),
        locations: [...unnamed().locations, 'bundled:demo'],
        found: [...unnamed().locations, 'bundled:demo'],
      })
      expect(Object.keys(await sources())).toEqual(['audition-text', 'catalog-profiles', 'demo-profiles'])
      const report = await index(root, options)
      expect(report.bundledCardsLeft).toBe(5)
      expect(report.demoCardsLeft).toBe(1)
      expect(Object.keys(await sources())).toEqual(['tools'])
      const { indexes } = await catalog.reader().snapshot()
      expect([indexes.tool.size, indexes.agent.size]).toEqual([1, 0])
      expect((await index(root, unnamed(folder))).bundledCardsLeft).toBeUndefined()
      expect(Object.keys(await sources())).toEqual(['tools'])
    }
  })

  test('stays beside profiles that were composed of its tools, until something of their own comes', async () => {
    const root = installation()
    const composed = (tags: string) =>
      `profile: audition/v1\nname: helper\ndescription: Composed for a task\ntags: [${tags}]\nbackbone: null\n`
    const folder = folderWith({ 'helper.yaml': composed('composed') })
    const { index, sources, states } = user()
    await index(root, unnamed())
    for (let run = 0; run < 2; run += 1) {
      await index(root, { locations: [folder] })
      expect(Object.values(await sources())).toEqual(expect.arrayContaining([folder, ...Object.values(ours)]))
    }
    expect((await states()).find(({ location }) => location === folder)).toMatchObject({ agents: 1 })
    writeFileSync(join(folder, 'mine.yaml'), composed('law').replace('helper', 'mine'))
    await index(root, { locations: [folder] })
    expect(Object.values(await sources())).toEqual([folder])
  })

  test('is back when the last thing of their own is gone', async () => {
    const root = installation()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    const { index, remove, sources } = user()
    await index(root, unnamed(folder))
    await remove(root, 'tools')
    await index(root, unnamed())
    expect(await sources()).toEqual(ours)
  })

  test("that was switched on by name stays beside what is the user's", async () => {
    const root = installation()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    const { index, sources } = user()
    await index(root, { locations: [folder] })
    await index(root, { locations: ['bundled:profiles', 'bundled:servers'] })
    await index(root, unnamed(folder))
    expect(Object.keys(await sources())).toEqual(['audition-text', 'catalog-profiles', 'tools'])
  })

  test('starts none of its servers where it is off', async () => {
    const root = installation()
    const folder = folderWith({ 'tools.json': functions('weigh') })
    const { index } = user()
    const report = await index(root, unnamed(folder))
    expect(report.sources.map(({ source }) => source)).toEqual(['tools'])
  })

  test('a part that there is none of is a problem that names those there are', async () => {
    const { index } = user()
    const { problems } = await index(installation(), { locations: ['bundled:recipes'] })
    expect(problems).toMatchObject([{ remedy: expect.stringContaining('bundled:profiles') }])
  })
})

describe('a store of an older Audition', () => {
  /** As it was left: the catalog by its path, and once more by where it lay before. */
  async function oldStore(before: string, now: string, more: readonly string[] = []) {
    const made = user()
    const parts = ['profiles', 'demo/profiles', 'mcp.json'] as const
    for (const root of [before, now])
      await made.index(undefined, {
        locations: [...parts.map((part) => join(root, 'catalog', part)), ...more],
      })
    return made
  }

  const ids = (states: readonly SourceState[]) => states.map(({ id }) => id)

  test.each(['there', 'gone'] as const)(
    'its copies of the catalog are one again; the former installation is %s',
    async (former) => {
      const [before, now] = [installation(), installation()]
      const { index, states, sources } = await oldStore(before, now)
      expect(ids(await states())).toContain('catalog-profiles~2')
      if (former === 'gone') rmSync(before, { recursive: true })
      // What an older store knows is read again, by the paths that it remembers.
      const known = [join(before, 'catalog', 'profiles'), join(now, 'catalog', 'profiles')]
      const report = await index(now, unnamed(...known))
      expect(report.problems).toEqual([])
      expect(report.sources.flatMap(({ failure }) => failure ?? [])).toEqual([])
      expect(await sources()).toEqual({ ...ours, 'demo-profiles': 'bundled:demo' })
    },
  )

  test("beside sources of the user's all of them go", async () => {
    const [before, now] = [installation(), installation()]
    const folder = folderWith({ 'tools.json': functions('weigh') })
    const { index, states } = await oldStore(before, now, [folder])
    rmSync(before, { recursive: true })
    await index(now, unnamed(folder))
    expect(ids(await states())).toEqual(['tools'])
  })

  test('a copy that is removed takes the others with it', async () => {
    const [before, now] = [installation(), installation()]
    const { index, remove, states } = await oldStore(before, now)
    await remove(now, 'catalog-profiles~2')
    await index(now, unnamed())
    expect(ids(await states())).not.toContain('catalog-profiles')
  })

  test("a folder of the user's that merely has such a name is theirs", async () => {
    const root = installation()
    const theirs = folderWith({
      'catalog/profiles/baker.md': agent('baker'),
      'package.json': '{"name": "bakery"}',
    })
    const { index, sources } = user()
    await index(undefined, { locations: [join(theirs, 'catalog', 'profiles')] })
    await index(root, unnamed(join(theirs, 'catalog', 'profiles')))
    expect(await sources()).toEqual({ 'catalog-profiles': join(theirs, 'catalog', 'profiles') })
    rmSync(theirs, { recursive: true })
    await index(root, unnamed(join(theirs, 'catalog', 'profiles')))
    expect(await sources()).toEqual({ 'catalog-profiles': join(theirs, 'catalog', 'profiles') })
  })
})
