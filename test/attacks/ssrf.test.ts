import { expect, test } from 'vitest'
import { runSsrf, ssrf } from './ssrf/ssrf.ts'

test('no address, name or redirect of a stranger reaches what is private, and honest uses work', async () => {
  const { reports, honest, leaked } = await runSsrf()
  expect(reports.flatMap(({ sort, faults }) => faults.map((fault) => `${sort}: ${fault}`))).toEqual([])
  expect(reports.map(({ reached }) => reached)).toEqual(reports.map(() => 0))
  expect(honest.filter(({ fault }) => fault !== null)).toEqual([])
  expect(leaked).toEqual([])
  expect(reports.reduce((sum, { attacks }) => sum + attacks, 0)).toBeGreaterThanOrEqual(80)
  expect(reports.reduce((sum, { reachedPlain }) => sum + reachedPlain, 0)).toBeGreaterThanOrEqual(20)
  expect(ssrf.name).toBe('ssrf')
})
