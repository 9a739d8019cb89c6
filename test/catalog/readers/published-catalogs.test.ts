import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { firstJsonLine } from '../../../src/catalog/formats/json-lines.ts'
import type { CardDraft } from '../../../src/catalog/ports.ts'
import { agentJsonl } from '../../../src/catalog/readers/agent-jsonl.ts'
import { toolretJsonl } from '../../../src/catalog/readers/toolret-jsonl.ts'
import { openDocument } from '../../../src/catalog/source-document.ts'
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts'

/** Whole catalogs as published. They stay outside the project; without them these tests skip. */
const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const skipped = (isPresent: boolean) => (isPresent ? '' : ' (skipped: data not present)')
const filesIn = (folder: string) => (existsSync(shared + folder) ? readdirSync(shared + folder) : [])

const agentFiles = filesIn('agents').filter((name) => name.endsWith('.jsonl'))
const toolSets = filesIn('toolret').filter((name) => !name.includes('.'))

const recordsOf = (text: string): JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const keysOf = (cards: readonly CardDraft[]) => cards.map(({ key }) => key)

describe.skipIf(agentFiles.length === 0)(`catalogs of agents${skipped(agentFiles.length > 0)}`, () => {
  test.each(agentFiles)('%s is read whole, each record into its card', (file) => {
    const document = openDocument(`${shared}agents/${file}`)
    expect([agentJsonl, toolretJsonl].filter((reader) => reader.recognises(document))).toEqual([agentJsonl])
    const { cards, problems, sourceName } = agentJsonl.read(document)
    const records = recordsOf(document.text)
    expect({ problems, sourceName }).toEqual({ problems: [], sourceName: file.replace('.jsonl', '') })
    expect(keysOf(cards)).toEqual(records.map((record) => String(record.id).split(':')[1]))
    const wrong = records.flatMap((record, index) => {
      const card = cards[index]
      if (card?.kind !== 'agent' || card.name === '' || card.name !== String(record.name).trim())
        return [record.id]
      const isWhole =
        card.description === String(record.description).trim() &&
        card.tools.length === lengthOf(record.tools) &&
        card.examples.length <= lengthOf(record.examples) &&
        (card.examples.length === 0) === (lengthOf(record.examples) === 0) &&
        (card.backbone === null) === [null, 'inherit', 'auto'].includes(record.model as string | null)
      return isWhole ? [] : [record.id]
    })
    expect(wrong).toEqual([])
  })
})

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** Sets whose shapes differ, and the share of cards that have parameters because the shape was understood. */
const parameterShares: { readonly [set: string]: number } = {
  bfcl: 0.9,
  apigen: 0.9,
  nestools: 0.9,
  nestful: 0.9,
  appbench: 0.9,
  'autotools-music': 0.9,
  'craft-vqa': 0.9,
  'toolemu-servers': 0.9,
  ultratool: 0.9,
  'gorilla-tensor': 0.9,
  toolalpaca: 0.8,
  apizoo: 0.7,
  'toolbench-g1-train': 0.7,
  toollens: 0.4,
}

/** The description as any of the shapes publishes it. */
function publishedDescription(record: JsonObject): string {
  const documentation = record.documentation
  if (!isJsonObject(documentation)) return String(documentation)
  const text = documentation.description ?? documentation.api_description ?? documentation.desc
  return typeof text === 'string' ? text.trim() : ''
}

describe.skipIf(toolSets.length === 0)(`sets of tools${skipped(toolSets.length > 0)}`, () => {
  test.each(toolSets)('%s is read whole, each record into its card', (set) => {
    const folder = `${shared}toolret/${set}/`
    const file = readdirSync(folder).find((name) => name.startsWith('tools.jsonl')) ?? 'tools.jsonl'
    const document = openDocument(folder + file)
    expect([agentJsonl, toolretJsonl].filter((reader) => reader.recognises(document))).toEqual([toolretJsonl])
    const { cards, problems, sourceName } = toolretJsonl.read(document)
    const records = recordsOf(document.text)
    expect({ problems, sourceName }).toEqual({ problems: [], sourceName: set })
    expect(new Set(keysOf(cards)).size).toBe(records.length)
    const wrong = records.flatMap((record, index) => {
      const card = cards[index]
      if (card?.kind !== 'tool' || card.key !== record.id || card.name === '') return [record.id]
      const description = publishedDescription(record)
      const isKept = description === '' ? card.description === '' : description.includes(card.description)
      const isLost = description !== '' && card.description === ''
      const isNamed = card.parameters.every(({ name }) => name !== '')
      return isKept && !isLost && isNamed && card.documentation !== undefined ? [] : [record.id]
    })
    expect(wrong).toEqual([])
    const withParameters = cards.filter((card) => card.kind === 'tool' && card.parameters.length > 0)
    expect(withParameters.length / cards.length).toBeGreaterThanOrEqual(parameterShares[set] ?? 0)
  })

  test.each(toolSets)('the other files of %s are no catalogs of tools', (set) => {
    for (const file of readdirSync(`${shared}toolret/${set}`)) {
      if (file.startsWith('tools.')) continue
      const document = openDocument(`${shared}toolret/${set}/${file}`)
      expect(firstJsonLine(document)).toBeDefined()
      expect(toolretJsonl.recognises(document) || agentJsonl.recognises(document)).toBe(false)
    }
  })
})
