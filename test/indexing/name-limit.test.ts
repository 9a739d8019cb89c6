import { expect, test } from 'vitest'
import { openSources } from '../../src/indexing/open-sources.ts'
import type { SourceSurroundings } from '../../src/indexing/open-source.ts'
import { readSource } from '../../src/indexing/read-source.ts'
import { folderWith } from '../catalog/temporary-folder.ts'

const surroundings: SourceSurroundings = {
  harvester: {
    harvest: async () => {
      throw new Error('The test has no server.')
    },
  },
  fetchDocument: async () => {
    throw new Error('The test has no address.')
  },
  label: (path) => path,
}
const { signal } = new AbortController()
const how = { harvest: 'unwanted', now: new Date(), isDeclined: false, kept: [], signal } as const

const agent = (name: string) => `---\nname: ${name}\ndescription: Reviews leases\n---\nYou review leases.\n`
const functions = (name: string) =>
  JSON.stringify([
    { type: 'function', function: { name, description: 'Reviews leases', parameters: { type: 'object' } } },
  ])

test.each([
  { kind: 'agent', file: 'agents/lease.md', text: agent },
  { kind: 'tool', file: 'lease.json', text: functions },
])('an $kind with a name too long is left out, and its file and field are named', async ({ file, text }) => {
  const read = async (name: string) => {
    const folder = folderWith({ [file]: text(name) })
    const { sources } = await openSources(folder, surroundings, signal)
    return {
      folder,
      read: await readSource(sources[0]!, { id: 'mine', state: undefined }, how),
    }
  }
  const longest = await read('a'.repeat(512))
  expect(longest.read).toMatchObject({ outcome: 'read', cards: [{ name: 'a'.repeat(512) }], problems: [] })
  const longer = await read('b'.repeat(513))
  expect(longer.read).toMatchObject({
    outcome: 'read',
    cards: [],
    problems: [
      {
        severity: 'error',
        file: `${longer.folder}/${file}`,
        field: 'name',
        message: `"${'b'.repeat(40)}…" is longer than 512 characters`,
        remedy: 'Give it a shorter name.',
      },
    ],
  })
})
