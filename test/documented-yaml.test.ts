import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { afterAll, expect, test } from 'vitest'
import { profileYaml } from '../src/catalog/readers/profile-yaml.ts'
import { openDocument } from '../src/catalog/source-document.ts'
import { readSettings } from '../src/probing/settings/settings-file.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'audition-documented-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ours = ['README.md', 'catalog/README.md', 'evals/README.md', 'docs/**/*.md']
const pages = globSync(ours, { cwd: root, ignore: ['**/node_modules/**', 'docs/findable.md'] }) // that page shows a workflow
const examples = pages.sort().flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ya?ml\n(.*?)^```$/gms)].map(
    ([, text = ''], place) => {
      const file = join(folder, `${page.replaceAll('/', '-')}-${place}.yaml`)
      writeFileSync(file, text)
      return { page, place: place + 1, file, isProfile: profileYaml.recognises(openDocument(file)) }
    },
  ),
)

test('the pages show a profile and the settings', () => {
  expect(examples.map(({ page, isProfile }) => [page, isProfile])).toEqual(
    expect.arrayContaining([
      ['catalog/README.md', true],
      ['docs/probing.md', false],
    ]),
  )
})

test.each(examples)('the reader accepts example $place of $page', async ({ file, isProfile }) => {
  if (!isProfile) return expect(await readSettings(file)).toBeDefined()
  expect(profileYaml.read(openDocument(file))).toMatchObject({ cards: [{ kind: 'agent' }], problems: [] })
})
