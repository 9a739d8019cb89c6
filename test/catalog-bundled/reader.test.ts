import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostConfig } from '../../src/catalog/readers/host-config.ts'
import { profileYaml } from '../../src/catalog/readers/profile-yaml.ts'
import { openDocument } from '../../src/catalog/source-document.ts'
import { root } from './built-catalog.ts'
import { profilesIn } from './profile-format.ts'

const folders = [join(root, 'catalog', 'profiles'), join(root, 'catalog', 'demo', 'profiles')]
const files = folders.flatMap((folder) =>
  profilesIn(folder).map(({ file }) => ({ file, path: join(folder, `${file}.yaml`) })),
)

test.each(files)('the reader takes $file whole, without a complaint', ({ file, path }) => {
  const document = openDocument(path)
  expect(profileYaml.recognises(document)).toBe(true)
  const { cards, problems } = profileYaml.read(document)
  expect(problems).toEqual([])
  expect(cards).toHaveLength(1)
  expect(cards[0]).toMatchObject({ kind: 'agent', agentKind: 'profile', name: file })
})

test('the reader finds the three servers in the host configuration', () => {
  const { servers, problems } = hostConfig.read(openDocument(join(root, 'catalog', 'mcp.json')))
  expect(problems).toEqual([])
  expect(servers.map(({ name }) => name)).toEqual([
    'audition-arithmetic',
    'audition-calendar',
    'audition-text',
  ])
})
