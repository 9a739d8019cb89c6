import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { harvester, isAlive, never, notedPids, rawEntry, serverFolder, until } from './servers.ts'

// Process groups are POSIX; /proc, by which the dead are told from zombies, is Linux.
const onLinux = process.platform === 'linux'

describe.runIf(onLinux)('no process survives', () => {
  test('a harvest that ran out of time, although server and child ignore stdin and SIGTERM', async () => {
    const pidFile = join(temporaryFolder(), 'pids')
    const run = harvester({ timeoutMs: 4_000 }).harvest(rawEntry('stubborn', pidFile), never)
    await expect(run).rejects.toThrow('it did not answer within 4 s')
    expect(notedPids(pidFile)).toHaveLength(2)
    expect(notedPids(pidFile).filter(isAlive)).toEqual([])
  })

  test('a harvest that the caller aborts; it rejects with the caller’s reason', async () => {
    const pidFile = join(temporaryFolder(), 'pids')
    const controller = new AbortController()
    const run = harvester().harvest(rawEntry('stubborn', pidFile), controller.signal)
    const outcome = expect(run).rejects.toBe('enough')
    await until(() => notedPids(pidFile).length === 2)
    expect(notedPids(pidFile).every(isAlive)).toBe(true)
    controller.abort('enough')
    await outcome
    expect(notedPids(pidFile).filter(isAlive)).toEqual([])
  })

  test('a harvest that went well, although the server was started by another and neither wants to leave', async () => {
    const pidFile = join(temporaryFolder(), 'pids')
    const { tools } = await harvester().harvest(rawEntry('wrapper', pidFile), never)
    expect(tools).toMatchObject([{ name: 'wrapped' }])
    expect(notedPids(pidFile)).toHaveLength(2)
    expect(notedPids(pidFile).filter(isAlive)).toEqual([])
  })

  test('nothing is started when the signal is aborted already', async () => {
    const pidFile = join(temporaryFolder(), 'pids')
    const run = harvester().harvest(rawEntry('stubborn', pidFile), AbortSignal.abort('too late'))
    await expect(run).rejects.toBe('too late')
    expect(notedPids(pidFile)).toEqual([])
  })

  test('listeners on our own process are gone after the last harvest', async () => {
    const count = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((event) => process.listenerCount(event))
    const before = count()
    await Promise.all([1, 2, 3].map(() => harvester().harvest(rawEntry('paginated'), never)))
    expect(count()).toEqual(before)
  })
})

describe.runIf(onLinux)('no process survives us', () => {
  let compiled: string
  beforeAll(() => {
    compiled = mkdtempSync(join(tmpdir(), 'audition-compiled-'))
    const source = fileURLToPath(new URL('../../../src/adapters/processes/process-group.ts', import.meta.url))
    const options = ['--ignoreConfig', '--target', 'es2023', '--module', 'nodenext', '--types', 'node']
    const imports = [
      '--rewriteRelativeImportExtensions',
      '--allowImportingTsExtensions',
      '--outDir',
      compiled,
    ]
    execFileSync(process.execPath, [tsc, ...options, ...imports, source])
  })
  afterAll(() => rmSync(compiled, { recursive: true, force: true }))

  const startAndEnd = (way: string, pidFile: string): ChildProcess =>
    spawn(
      process.execPath,
      [join(serverFolder, 'start-and-end.mjs'), join(compiled, 'process-group.js'), way, pidFile],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )

  test.each(['exit', 'throw'])('when we %s', async (way) => {
    const pidFile = join(temporaryFolder(), 'pids')
    await once(startAndEnd(way, pidFile), 'exit')
    expect(notedPids(pidFile)).toHaveLength(2)
    await until(() => !notedPids(pidFile).some(isAlive))
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'when %s ends us, which it still does',
    async (signal) => {
      const pidFile = join(temporaryFolder(), 'pids')
      const us = startAndEnd('wait', pidFile)
      await once(us.stdout!, 'data')
      us.kill(signal)
      const [code, endedBy] = await once(us, 'exit')
      expect({ code, endedBy }).toEqual({ code: null, endedBy: signal })
      await until(() => !notedPids(pidFile).some(isAlive))
    },
  )
})

const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
