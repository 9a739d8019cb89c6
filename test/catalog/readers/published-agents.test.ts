import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readers, recognise } from '../../../src/catalog/readers.ts'
import { openDocument } from '../../../src/catalog/source-document.ts'

/** Genuine files, as published. They stay outside the project; without them these tests skip. */
const folder = fileURLToPath(new URL('../../../../shared/data/formats/', import.meta.url))
const isPresent = existsSync(folder)
const skipped = isPresent ? '' : ' (skipped: data not present)'
const filesOf = (format: string): string[] =>
  isPresent ? readdirSync(folder + format).map((name) => `${format}/${name}`) : []

const promptFiles = ['claude-subagent', 'copilot-agent', 'claude-plugin']
  .flatMap(filesOf)
  .filter((name) => name.endsWith('.md'))
const otherFiles = ['agents-yaml', 'lobe-agent', 'claude-plugin']
  .flatMap(filesOf)
  .filter((name) => !name.endsWith('.md'))

const open = (file: string) => openDocument(folder + file, file)

/** What stands after a key in the first column, read without YAML. */
const lineOf = (text: string, key: string): string | undefined =>
  new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(text.split(/^---$/m)[1] ?? '')?.[1]
const bare = (text: string): string => text.trim().replace(/^["'](.*)["']$/, '$1')

describe.skipIf(!isPresent)(`genuine prompt files${skipped}`, () => {
  test.each(promptFiles)('%s: the card says what the front matter says', (file) => {
    const document = open(file)
    const result = recognise(document)?.read(document)
    const [card] = result?.cards ?? []
    if (card?.kind !== 'agent') throw new Error('expected an agent')
    const { text } = document
    expect(result?.problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(result?.problems.length).toBe(file.includes('invalid-yaml') ? 1 : 0)
    expect(card.name).toBe(bare(lineOf(text, 'name') ?? ''))
    expect(card.description.length).toBeGreaterThan(40)
    expect(bare(lineOf(text, 'description') ?? '').startsWith(card.description.slice(0, 200))).toBe(true)
    expect(card.description).not.toMatch(/<example>|\\n|:$/)
    expect(card.examples.length).toBe(text.split('<example>').length - 1)
    const model = bare(lineOf(text, 'model') ?? 'inherit')
    expect(card.backbone?.name ?? 'inherit').toBe(model)
    const tools = /^\s*tools:[ \t]*\[?(.*?)\]?$/m.exec(text.split(/^---$/m)[1] ?? '')?.[1]
    expect(card.tools.map(({ name }) => name)).toEqual(tools === undefined ? [] : tools.split(',').map(bare))
    expect(text.trimEnd().endsWith((card.instructions ?? 'none').slice(-200))).toBe(true)
  })

  test.each([...promptFiles, ...otherFiles])('%s is claimed by one reader alone', (file) => {
    expect(readers.filter((reader) => reader.recognises(open(file)))).toHaveLength(1)
  })

  test.each(otherFiles)('%s gives cards that are whole, or a reason with file, field and remedy', (file) => {
    const document = open(file)
    const { cards, problems } = recognise(document)?.read(document) ?? { cards: [], problems: [] }
    expect(cards.length === 0).toBe(problems.length > 0)
    for (const problem of problems) {
      expect(problem).toEqual({
        severity: 'error',
        file,
        field: expect.stringMatching(/\S/),
        message: expect.stringMatching(/\S/),
        remedy: expect.stringMatching(/\.$/),
      })
      expect(document.text).toContain(problem.field?.split('.').at(-1))
    }
    for (const card of cards) {
      if (card.kind !== 'agent') throw new Error('expected an agent')
      expect(card.name).toMatch(/\S/)
      expect(document.text).toContain(card.description.slice(0, 40))
      expect(card.tools.every(({ name }) => document.text.includes(name))).toBe(true)
      expect(card.examples.every((example) => document.text.includes(example))).toBe(true)
      if (file.startsWith('lobe-agent')) expect(card.examples.length).toBe(7)
    }
  })
})
