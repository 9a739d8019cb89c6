import { afterAll, describe, expect, test } from 'vitest'
import { keptSessionExecutor } from '../../../bench/probe-lift/kept-session-executor.ts'
import { answerKeys } from '../../../catalog/answer-keys/answer-keys.ts'
import type { Card } from '../../../src/domain/card.ts'
import { mcpHarvester } from '../../../src/adapters/mcp-client/mcp-harvester.ts'
import { variantCards, variantServers } from '../../../bench/probe-lift/variant-cards.ts'
import { readVariants } from '../../../bench/probe-lift/variants/variants.ts'
import { allowList } from '../../../src/probing/settings/grants.ts'
import { referenceJudge } from '../../../src/probing/judges/reference-judge.ts'
import { probeBySource } from '../../../bench/probe-lift/probe-by-source.ts'
import { tasksOfCard } from '../../../src/probing/writing/tasks-of-card.ts'
import { processesWith } from '../../adapters/command/agents.ts'
import { buildServers } from './built-servers.ts'
import { harvester } from './in-process.ts'

const built = buildServers()
afterAll(() => built.remove())

const { catalogFolder, config, folder } = built
const connecting = { catalogFolder, environment: process.env, version: '0.0.0' }
const unstopped = new AbortController().signal
const entry = variantServers(config, ['calendar'])[0]!
const faults = new Map(
  readVariants(config.replace('mcp.json', 'variants.tsv')).map((one) => [one.id, one.fault]),
)

const dependencies = {
  openExecutor: () => keptSessionExecutor(connecting),
  tasksOf: (card: Card, count: number) => tasksOfCard(card, count, { answers: answerKeys }),
  judge: referenceJudge(),
  allow: allowList([`mcp:${config}#*`], catalogFolder),
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
}

describe('a compiled server of a publisher', () => {
  test('lists what the same tools list without a process, and nothing that names a fault', async () => {
    const cards = await variantCards(entry, mcpHarvester(connecting), unstopped)
    const said = cards.map(({ name, title, description }) => ({ name, title, description }))
    const direct = await variantCards(entry, harvester, unstopped)
    expect(said).toEqual(direct.map(({ name, title, description }) => ({ name, title, description })))
    const { provenance: _, ...shown } = cards[0]!
    expect(JSON.stringify(shown)).not.toMatch(/stale|truncat|refus|off-by|wrong-unit|constant|sound|fault/i)
  })

  test('answers probes as its variants are, is started once for all of them, and leaves no process', async () => {
    const cards = await variantCards(entry, mcpHarvester(connecting), unstopped)
    const quick = cards.filter(({ id }) => !['slow', 'errors'].includes(faults.get(id) ?? 'slow'))
    const { outcomes } = await probeBySource(quick, 2, dependencies, { signal: unstopped, onProbe() {} })
    expect(outcomes.size).toBe(quick.length)
    for (const [id, runs] of outcomes) {
      const worked = runs.map(({ verdict }) => verdict !== null && 'grade' in verdict && verdict.grade === 5)
      expect(worked).toHaveLength(2)
      if (faults.get(id) === 'sound') expect(worked).toEqual([true, true])
      if (faults.get(id) === 'empty' || faults.get(id) === 'refusing') expect(worked).toEqual([false, false])
    }
    expect(processesWith(folder)).toEqual([])
  })

  test('is ended when the run is stopped', async () => {
    const cards = (await variantCards(entry, mcpHarvester(connecting), unstopped)).filter(
      ({ kind }) => kind === 'tool',
    )
    const stop = new AbortController()
    const running = probeBySource(cards, 3, dependencies, {
      signal: stop.signal,
      onProbe: () => stop.abort(new Error('enough')),
    })
    await expect(running).rejects.toThrow('enough')
    expect(processesWith(folder)).toEqual([])
  })
})
