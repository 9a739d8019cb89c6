import { writing } from '../fakes/indexed-store.ts'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { indexSources } from '../../src/indexing/index-sources.ts'
import { knownLocations } from '../../src/indexing/places-after.ts'
import type { SourceSurroundings } from '../../src/indexing/open-source.ts'
import { placesIn } from '../../src/store/source-review.ts'
import { removeSources } from '../../src/trust/review/retire.ts'
import { folderWith, temporaryFolder } from '../catalog/temporary-folder.ts'

const surroundings: SourceSurroundings = {
  harvester: { harvest: () => Promise.reject(new Error('no server is asked here')) },
  fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
  label: (path) => path,
}

const functions = (name: string): string =>
  JSON.stringify([{ type: 'function', function: { name, description: `Does ${name}`, parameters: {} } }])

/** A store into which a folder of two catalog files was indexed by its name. */
async function named() {
  const home = join(temporaryFolder(), 'store')
  const root = folderWith({
    'tools/a.json': functions('a'),
    'tools/b.json': functions('b'),
    'lone.json': functions('lone'),
  })
  const folder = join(root, 'tools')
  const using = writing(home)
  const index = (...locations: readonly string[]) =>
    using((writer) => indexSources(writer, surroundings, { locations }))
  const known = () =>
    using(async (writer) => knownLocations(await writer.sources(), placesIn(await writer.reviews())))
  await index(folder, join(root, 'lone.json'))
  return {
    root,
    folder,
    index,
    known,
    put: (name: string) => writeFileSync(join(folder, `${name}.json`), functions(name)),
    take: (name: string) => rmSync(join(folder, `${name}.json`)),
    /** As a run does that names nothing. */
    again: async () => {
      const locations = await known()
      return using((writer) => indexSources(writer, surroundings, { locations, found: locations }))
    },
    forget: (...ids: readonly string[]) => using((writer) => removeSources(writer, ids)),
    ids: () => using(async (writer) => (await writer.sources()).map(({ id }) => id)),
    sources: () => using((writer) => writer.sources()),
  }
}

test('a folder that a person named is read as a folder by runs that name nothing', async () => {
  const { folder, root, put, take, again, known, ids } = await named()
  expect(await known()).toEqual([folder, join(root, 'lone.json')])
  put('c')
  take('b')
  const { sources, problems } = await again()
  expect(problems).toEqual([])
  expect(sources.map(({ source, added, removed }) => [source, added, removed])).toEqual([
    ['a', 0, 0],
    ['c', 1, 0],
    ['lone', 0, 0],
    ['b', 0, 1],
  ])
  expect(await ids()).toEqual(['a', 'c', 'lone'])
})

test('one that loses its last file stays, and what is put there again comes back', async () => {
  const { put, take, again, ids } = await named()
  take('a')
  take('b')
  await again()
  expect(await ids()).toEqual(['lone'])
  put('c')
  await again()
  expect(await ids()).toEqual(['c', 'lone'])
})

test.each([
  { why: 'is gone', leave: () => {}, says: 'does not exist' },
  { why: 'is another one, and empty: its disk is away', leave: mkdirSync, says: 'its disk may be away' },
])(
  'one that $why keeps its cards and says so, and is read again when it is back',
  async ({ leave, says }) => {
    const { root, folder, put, again, ids } = await named()
    renameSync(folder, join(root, 'away'))
    leave(folder)
    const { sources } = await again()
    expect(sources.map(({ source, failure }) => [source, failure?.message.includes(says)])).toEqual([
      ['lone', undefined],
      ['a', true],
      ['b', true],
    ])
    expect(await ids()).toEqual(['a', 'b', 'lone'])
    rmSync(folder, { recursive: true, force: true })
    renameSync(join(root, 'away'), folder)
    put('c')
    expect((await again()).sources.map(({ failure }) => failure)).toEqual(Array(4).fill(undefined))
    expect(await ids()).toEqual(['a', 'b', 'c', 'lone'])
  },
)

test('what a person removed of it stays away until they name it again; without sources it is forgotten', async () => {
  const { folder, root, index, again, forget, known, ids } = await named()
  await forget('a')
  await again()
  expect(await ids()).toEqual(['b', 'lone'])
  await index(folder)
  expect(await ids()).toEqual(['a', 'b', 'lone'])
  await forget('a', 'b')
  expect(await known()).toEqual([join(root, 'lone.json')])
})

test('one of which nothing is left is forgotten without a word', async () => {
  const { folder, take, again, known, root } = await named()
  take('a')
  take('b')
  await again()
  rmSync(folder, { recursive: true })
  expect(await again()).toMatchObject({ problems: [], sources: [{ source: 'lone' }] })
  expect(await known()).toEqual([join(root, 'lone.json')])
})

test.skipIf(process.platform === 'win32')(
  'one that Kubernetes mounts keeps its ids over a swap, those of an older store too',
  async () => {
    const { folder, index, again, sources } = await named()
    const mount = (version: string): void => {
      mkdirSync(join(folder, version))
      writeFileSync(join(folder, version, 'money.json'), functions('money'))
      rmSync(join(folder, '..data'), { force: true })
      symlinkSync(version, join(folder, '..data'))
    }
    const money = async () =>
      (await sources()).filter(({ id }) => id.startsWith('money')).map(({ id, location }) => [id, location])
    mount('..2026_11_27')
    await index(join(folder, '..2026_11_27/money.json'))
    expect(await money()).toEqual([['money', join(folder, '..2026_11_27/money.json')]])
    symlinkSync('..data/money.json', join(folder, 'money.json'))
    expect((await again()).problems).toEqual([])
    expect(await money()).toEqual([['money', join(folder, 'money.json')]])
    mount('..2026_11_28')
    await again()
    expect(await money()).toEqual([['money', join(folder, 'money.json')]])
    rmSync(join(folder, '..2026_11_27'), { recursive: true })
    const { sources: reports } = await again()
    expect(reports.map(({ added, changed, removed }) => added + changed + removed)).toEqual([0, 0, 0, 0])
    expect(await money()).toEqual([['money', join(folder, 'money.json')]])
  },
)
