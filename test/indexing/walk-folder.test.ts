import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSources } from '../../src/indexing/open-sources.ts'
import type { SourceSurroundings } from '../../src/indexing/open-source.ts'
import { walkFolder } from '../../src/indexing/walk-folder.ts'
import { folderWith } from '../catalog/temporary-folder.ts'

const never = new AbortController().signal
const agent = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nYou are ${name}.\n`

const surroundings: SourceSurroundings = {
  harvester: { harvest: () => Promise.reject(new Error('no server is asked here')) },
  fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
  label: (path) => path,
}

/** A folder of somebody else's, with links to what lies beside it. */
function stage() {
  const root = folderWith({
    'mine/secret.md': agent('secret'),
    'mine/deep/one.md': agent('deep'),
    'mine/servers.json': '{"mcpServers":{"x":{"command":"evil"}}}',
    'mine/picture.png': '',
    'theirs/sub/own.md': agent('own'),
  })
  const theirs = join(root, 'theirs')
  symlinkSync(join(root, 'mine/secret.md'), join(theirs, 'file.md'))
  symlinkSync(join(root, 'mine/deep'), join(theirs, 'folder'))
  symlinkSync('../mine/servers.json', join(theirs, '.mcp.json'))
  symlinkSync('/', join(theirs, 'everything'))
  symlinkSync(join(root, 'mine/picture.png'), join(theirs, 'picture.png'))
  symlinkSync(join(theirs, 'sub'), join(theirs, 'again'))
  symlinkSync(join(root, 'nothing'), join(theirs, 'dangling.md'))
  // One link to another: the last of them leads out.
  symlinkSync(join(theirs, 'folder'), join(theirs, 'twice'))
  return { root, theirs }
}

test('links that lead out of a folder are told by name and not followed; those inside are', async () => {
  const { root, theirs } = stage()
  const { files, outside, unread } = await walkFolder(theirs, never)
  expect(files).toEqual([join(theirs, 'sub/own.md')])
  expect(unread).toEqual([])
  expect(outside).toEqual(
    [
      ['.mcp.json', 'mine/servers.json'],
      ['everything', ''],
      ['file.md', 'mine/secret.md'],
      ['folder', 'mine/deep'],
      ['twice', 'mine/deep'],
    ].map(([path, target]) => ({
      path: join(theirs, path!),
      target: target === '' ? '/' : join(root, target!),
    })),
  )
})

test('a folder that was named by a link is read, and so is what the settings name', async () => {
  const { root, theirs } = stage()
  const link = join(root, 'link')
  symlinkSync(theirs, link)
  expect((await walkFolder(link, never)).files).toHaveLength(1)
  const { files, outside } = await walkFolder(theirs, never, [join(root, 'mine')])
  expect(files).toHaveLength(4)
  expect(outside.map(({ path }) => path)).toEqual([join(theirs, 'everything')])
})

test('a run says which link it is, where it leads, and what to do', async () => {
  const { root, theirs } = stage()
  const { problems, sources } = await openSources(theirs, surroundings, never)
  expect(sources.map(({ reader }) => reader)).toEqual(['claude-subagent'])
  expect(problems).toContainEqual({
    severity: 'warning',
    file: join(theirs, 'folder'),
    message: `is a link that leads out of the folder, to ${join(root, 'mine/deep')}, and was not followed`,
    remedy: `Index ${join(root, 'mine/deep')} itself, or name it in "followLinks" of settings.yaml.`,
  })
})

test('broken JSON and YAML in a folder get a line each with the place, and the rest is read', async () => {
  const root = folderWith({ 'good.md': agent('good') })
  mkdirSync(join(root, 'sub'))
  const broken = {
    'a.json': '{"name": "x",\n  "tools": [}',
    'b.yaml': 'name: [broken\nrun: {\n',
    'sub/c.yml': 'a: b\n  c: d\n',
    'd.jsonc': '// said\n{"a": 1,,}',
  }
  const sound = {
    'several.yaml': 'a: 1\n---\nb: 2\n',
    'chart.yaml': 'name: {{ .Values.name }}\nother: {{- if }}\n',
    'plain.yaml': 'a: 1\n',
  }
  for (const [file, text] of Object.entries({ ...broken, ...sound })) writeFileSync(join(root, file), text)
  const { sources, unread } = await openSources(root, surroundings, never)
  expect(sources).toHaveLength(1)
  expect(unread.map(({ path }) => path).sort()).toEqual(
    Object.keys(broken)
      .map((file) => join(root, file))
      .sort(),
  )
  for (const { problem } of unread) {
    expect(problem.message).toMatch(/^the (?:JSON|YAML) is broken at line \d+/)
    expect(problem.remedy).toBe('Correct the line and index the file again.')
  }
})
