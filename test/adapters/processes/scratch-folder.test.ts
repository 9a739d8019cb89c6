import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeScratch, scratchFolder } from '../../../src/adapters/processes/scratch-folder.ts'

test('what a killed process left behind is removed a day later, and nothing younger', async () => {
  const folders = ['stale', 'young'].map((name) => join(tmpdir(), `audition-run-test-${process.pid}-${name}`))
  const [stale, young] = folders as [string, string]
  for (const folder of folders) mkdirSync(join(folder, 'deeper'), { recursive: true })
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  utimesSync(stale, hoursAgo(26), hoursAgo(26))
  utimesSync(young, hoursAgo(24), hoursAgo(24))
  const fresh = await scratchFolder()
  expect([stale, young, fresh].map((folder) => existsSync(folder))).toEqual([false, true, true])
  await removeScratch(fresh)
  expect(existsSync(fresh)).toBe(false)
  rmSync(young, { recursive: true })
})
