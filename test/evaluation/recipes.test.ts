import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { httpGuard } from '../../src/adapters/http/guarded-fetch.ts'
import { DatasetError } from '../../src/evaluation/datasets/dataset.ts'
import { hasManifest, manifestOf, parseManifest } from '../../evals/benchmarks/src/manifest.ts'
import { measureNamed } from '../../src/evaluation/measures/measures.ts'
import { readDataset, recipes } from '../fixtures/every-dataset.ts'
import { packageRoot } from '../../src/package-root.ts'
import { file, fileServer } from '../fixtures/file-server.ts'
import { folderWith, temporaryFolder } from '../fixtures/temporary-folder.ts'

const tool = (id: string) => ({ id, documentation: { name: id, description: `Does ${id}` }, category: 'web' })
const set = (name: string) => ({
  [`${name}/tools.jsonl`]: [tool(`${name}_tool_0`)],
  [`${name}/queries.jsonl`]: [
    { id: `${name}_0`, query: name, labels: [{ id: `${name}_tool_0`, relevance: 1 }] },
  ],
})

const mcpTools = JSON.stringify([
  {
    name: 'Kites',
    description: 'All about kites',
    config: { mcpServers: { kites: { command: 'npx', args: ['kites'] } } },
    tools: {
      kites: { server_name: 'kites', tools: [{ name: 'fly', description: 'Flies', inputSchema: {} }] },
    },
  },
])
const mcpTasks = JSON.stringify([
  { task_id: 'a', Question: 'Fly', category: 'Leisure', 'Annotator Metadata': { Tools: '1. fly' } },
])

describe('the table of recipes', () => {
  test('has names of their own, in kebab-case, and words for people', () => {
    const names = recipes.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, describes, settings = [] } of recipes) {
      expect(name).toMatch(/^[a-z][a-z\d-]*$/)
      expect(describes.length).toBeGreaterThan(20)
      for (const setting of settings) {
        expect(setting.describes).not.toBe('')
        expect(new Set(setting.values).size).toBe(setting.values.length)
        expect(setting.values.length).toBeGreaterThan(1)
      }
    }
  })

  test('recognises nothing in a folder of something else', () => {
    const folder = folderWith({
      'notes.md': '# Notes',
      'a.json': '{"name": "a"}',
      'b.jsonl': '{"name": "b"}',
    })
    expect(recipes.filter((recipe) => recipe.recognises(folder)).map(({ name }) => name)).toEqual([])
    const none = join(folder, 'absent')
    expect(recipes.filter((recipe) => recipe.recognises(none)).map(({ name }) => name)).toEqual([])
  })
})

describe('readDataset', () => {
  test('reads a path by what lies there', async () => {
    const folder = folderWith({ ...set('one'), 'mine.csv': 'query,expected\nfly,kites/fly\n' })
    expect((await readDataset(folder)).name).toBe('toolret')
    expect((await readDataset(join(folder, 'mine.csv'))).name).toBe('mine')
  })

  test('reads a name from the folder it is given, with the settings and parts that are wanted', async () => {
    const folder = folderWith({ ...set('one'), ...set('two'), 'pile/tools.jsonl': [tool('pile_tool_0')] })
    const dataset = await readDataset('toolret', {
      from: folder,
      only: ['two'],
      settings: { distractors: 'join' },
    })
    expect(dataset.parts.map(({ name }) => name)).toEqual(['two', 'pile'])
  })

  test.each(recipes)(
    'refuses a setting that $name does not know, with those it does',
    async ({ name, settings }) => {
      const known = settings?.map((setting) => setting.name).join(', ')
      // Told before anything is looked for: no folder is given.
      await expect(readDataset(name, { settings: { foo: '1' } })).rejects.toMatchObject({
        name: 'SettingError',
        message: `${name} has no setting "foo".`,
        remedy: known === undefined ? 'Leave it out: it takes none.' : `Use one of: ${known}.`,
      })
    },
  )

  test('reads our own queries by their name alone', async () => {
    const { parts } = await readDataset('bundled')
    expect(parts.flatMap(({ queries }) => queries).length).toBeGreaterThanOrEqual(150)
  })

  test.each(recipes)(
    '$name stands in the tables of datasets, or in that of data which only its makers have',
    ({ name }) => {
      const textOf = (page: string) => readFileSync(join(packageRoot, page), 'utf8')
      for (const page of ['docs/evaluation.md', 'evals/README.md'])
        expect(textOf(page) + textOf('CONTRIBUTING.md'), page).toMatch(
          new RegExp(`^\\|[^|]*\`${name}\``, 'm'),
        )
    },
  )

  test('downloads only when it is asked to, and then names the commit in the origin', async () => {
    const manifest = manifestOf('livemcpbench')
    const [source] = manifest.sources
    const revision = source?.hub === 'github' ? source.revision : ''
    const base = `/icip-cas/LiveMCPBench/${revision}`
    const { address, asked } = await fileServer({
      [`${base}/tools/LiveMCPTool/tools.json`]: file(mcpTools),
      [`${base}/annotated_data/all_annotations.json`]: file(mcpTasks),
    })
    const downloads = temporaryFolder()
    await expect(readDataset('livemcpbench', { downloads })).rejects.toMatchObject({
      message: expect.stringContaining('livemcpbench is not here yet'),
      remedy: expect.stringMatching(/--download .*--from/),
    })
    expect(asked).toEqual([])
    const download = { addresses: { github: address }, retryDelayMs: 1, fetch }
    const dataset = await readDataset('livemcpbench', { downloads, download })
    expect(dataset.parts.map(({ queries }) => queries.length)).toEqual([1, 1])
    expect(dataset.origin).toContain(`icip-cas/LiveMCPBench@${revision.slice(0, 12)}`)
    expect(asked).toHaveLength(2)
    expect(await readDataset('livemcpbench', { downloads })).toEqual(dataset)
    expect(asked).toHaveLength(2)
  })

  test.each([
    {
      why: 'a name that is unknown',
      name: 'toolrat',
      options: {},
      says: 'neither a dataset',
      remedy: 'toolret',
    },
    {
      why: 'a benchmark that is not here',
      name: 'toolret',
      options: { downloads: '/none' },
      says: 'not here yet',
      remedy: '--download',
    },
    {
      why: 'a folder that is not there',
      name: 'toolret',
      options: { from: '/none' },
      says: '/none',
      remedy: 'folder',
    },
    {
      why: 'one that can only be had by hand',
      name: 'agentselect',
      options: {},
      says: 'not here yet',
      remedy: 'drive.google.com',
    },
    {
      why: 'a download of what is not published',
      name: 'toolret-dev',
      options: { downloads: '/none', download: { fetch } },
      says: 'not published for download',
      remedy: 'folder',
    },
    {
      why: 'a download to nowhere',
      name: 'toolret',
      options: { download: { fetch } },
      says: 'no folder to download to',
      remedy: '',
    },
  ])('refuses $why', async ({ name, options, says, remedy }) => {
    const failure = await readDataset(name, options).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DatasetError)
    expect(String(failure)).toContain(says)
    expect((failure as DatasetError).remedy).toContain(remedy)
  })

  test('says how to add the published benchmarks where they are not installed', async () => {
    const missing = 'Add it: npm install audition-benchmarks.'
    const benchmarks = { recipes: [], missing }
    await expect(readDataset('toolret', { benchmarks })).rejects.toMatchObject({
      remedy: expect.stringContaining(missing),
    })
    expect((await readDataset('bundled', { benchmarks })).parts).not.toEqual([])
  })

  test('refuses a path where nothing is recognised', async () => {
    await expect(readDataset(folderWith({ 'notes.md': '# Notes' }))).rejects.toThrow(
      'no dataset is recognised there',
    )
  })
})

const fetch = httpGuard().fetch('user')
const manifests = join(import.meta.dirname, '../../evals/benchmarks/recipes')

describe('the manifests', () => {
  const names = readdirSync(manifests).map((name) => name.replace(/\.json$/, ''))

  test.each(names)('%s keeps the rules, and belongs to a recipe', (name) => {
    const manifest = parseManifest(name, readFileSync(join(manifests, `${name}.json`), 'utf8'))
    expect(manifest.name).toBe(name)
    expect(recipes.map((recipe) => recipe.name)).toContain(name)
    for (const measure of manifest.measures) expect(measureNamed(measure).name).toBe(measure)
  })

  test('say what can be downloaded', () => {
    expect(recipes.filter(({ download }) => download !== undefined).map(({ name }) => name)).toEqual([
      'toolret',
      'livemcpbench',
      'mulerun',
      'agentsearchbench',
    ])
    expect(hasManifest('../../package')).toBe(false)
    expect(() => manifestOf('none')).toThrow('no manifest for "none"')
  })

  test.each([
    { why: 'is no JSON', change: () => '{', message: 'not JSON' },
    {
      why: 'lacks a field',
      change: (text: string) => text.replace('"licence"', '"license"'),
      message: 'licence',
    },
    {
      why: 'leads out of the folder',
      change: (text: string) => text.replace('tools/LiveMCPTool/', '../'),
      message: 'a path inside the folder',
    },
  ])('that $why are refused by field', ({ change, message }) => {
    const text = readFileSync(join(manifests, 'livemcpbench.json'), 'utf8')
    expect(() => parseManifest('x.json', change(text))).toThrow(message)
  })
})

const shared = join(import.meta.dirname, '../../../shared/data')

describe.skipIf(!existsSync(shared))('the reference data (skipped: data not present)', () => {
  test.each([
    { folder: 'toolret', recipe: 'toolret' },
    { folder: 'toolret/apigen', recipe: 'toolret' },
    { folder: 'formats/livemcpbench', recipe: 'livemcpbench' },
    { folder: 'written-queries', recipe: 'written-queries' },
    { folder: 'languages', recipe: 'language-requests' },
    { folder: 'agent-queries', recipe: 'agent-queries' },
    { folder: 'agentsearch', recipe: 'agentsearchbench' },
  ])('$folder is recognised as $recipe', ({ folder, recipe }) => {
    expect(recipes.find((each) => each.recognises(join(shared, folder)))?.name).toBe(recipe)
  })
})
