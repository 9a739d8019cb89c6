import { expect, test } from 'vitest'
import { catalogName } from '../../src/catalog/path-names.ts'

test.each([
  { path: '/sets/sky/tools.jsonl', name: 'sky', why: 'its own name says nothing' },
  { path: '/sets/sky/tools.jsonl.gz', name: 'sky', why: 'its own name says nothing, packed' },
  { path: '/sets/github.jsonl', name: 'github', why: 'its own name says what it is' },
  { path: '/sets/slack.tools.json', name: 'slack.tools', why: 'its own name says what it is' },
  { path: 'tools.jsonl', name: 'tools', why: 'there is no folder' },
])('a catalog in $path is called $name: $why', ({ path, name }) => {
  expect(catalogName(path)).toBe(name)
})
