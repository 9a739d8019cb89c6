import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  assignFaults,
  faultsThatBite,
  serversConfig,
} from '../../../bench/probe-lift/variants/assign-faults.ts'
import { bundledTools } from '../../../bench/probe-lift/variants/bundled-tools.ts'
import { faults } from '../../../bench/probe-lift/variants/faults.ts'
import { publishers } from '../../../bench/probe-lift/variants/publishers.ts'
import { readVariants, sound, variantLines } from '../../../bench/probe-lift/variants/variants.ts'

const folder = resolve(import.meta.dirname, '../../../bench/probe-lift/variants')
const variants = readVariants(join(folder, 'variants.tsv'))

describe('the answer key', () => {
  test('is what the script writes', async () => {
    expect(readFileSync(join(folder, 'variants.tsv'), 'utf8')).toBe(variantLines(await assignFaults()))
    expect(readFileSync(join(folder, 'mcp.json'), 'utf8')).toBe(serversConfig())
  })

  test('gives every tool one sound variant, and others with a fault each that bites', async () => {
    for (const [server, tools] of bundledTools) {
      for (const tool of tools) {
        const given = variants.filter((one) => one.server === server && one.tool === tool.name)
        const named = given.map(({ fault }) => fault)
        expect(given).toHaveLength(publishers.size)
        expect(new Set(named).size).toBe(publishers.size)
        expect(named.filter((fault) => fault === sound)).toHaveLength(1)
        const biting = (await faultsThatBite(tool)).map(({ name }) => name)
        expect(biting).toEqual(expect.arrayContaining(named.filter((fault) => fault !== sound)))
      }
    }
  })

  test('has publishers that are sound alike, and every fault often enough to count', () => {
    for (const publisher of publishers.keys()) {
      const those = variants.filter(({ id }) => id.startsWith(`${publisher}-`))
      const tools = those.length
      const soundOnes = those.filter(({ fault }) => fault === sound).length
      expect(Math.abs(soundOnes - tools / publishers.size)).toBeLessThan(1)
    }
    for (const { name } of faults) {
      expect(variants.filter(({ fault }) => fault === name).length).toBeGreaterThanOrEqual(10)
    }
  })
})

describe('what a ranker sees', () => {
  const words = [...faults.map(({ name }) => name), 'sound', 'fault', 'broken', 'degraded', 'wrong', 'probe']

  test('names no fault in publishers, entries and wordings', () => {
    const shown = [...publishers].map(([name, word]) => `${name} ${word('Do it.')}`)
    expect(words.filter((word) => shown.join(' ').toLowerCase().includes(word))).toEqual([])
  })

  test('is worded by the publisher alone, whichever fault a tool has', () => {
    for (const [, tools] of bundledTools) {
      for (const { description } of tools) {
        for (const word of publishers.values()) {
          expect(word(description).toLowerCase()).toContain(description.slice(1).toLowerCase())
        }
      }
    }
  })
})
