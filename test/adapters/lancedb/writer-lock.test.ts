import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { StoreError } from '../../../src/adapters/lancedb/store-location.ts'
import { type Holder, lockStore } from '../../../src/adapters/lancedb/commit/writer-lock.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { type CompiledScript, compileScript } from '../../fixtures/compile-script.ts'
import { storeFolder } from './stores.ts'

/** A lock that somebody left, written so long ago. */
function leftLock(contents: string, ageMs = 0): { readonly home: string; readonly file: string } {
  const home = storeFolder()
  mkdirSync(home, { recursive: true })
  const file = join(home, 'index.lock')
  writeFileSync(file, contents)
  const time = new Date(Date.now() - ageMs)
  utimesSync(file, time, time)
  return { home, file }
}

const lockOf = (parts: Partial<Holder>): string =>
  JSON.stringify({ pid: process.pid, host: hostname(), mark: 'of another process', ...parts })

/** A process that does nothing until it is killed. */
async function idleProcess() {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

async function deadPid(): Promise<number> {
  const child = await idleProcess()
  child.kill('SIGKILL')
  await once(child, 'exit')
  return child.pid!
}

test('a lock is a file while it is held, and gone afterwards', async () => {
  const home = storeFolder()
  const unlock = await lockStore(home, undefined)
  expect(JSON.parse(readFileSync(join(home, 'index.lock'), 'utf8'))).toMatchObject({
    pid: process.pid,
    host: hostname(),
  })
  unlock()
  expect(existsSync(join(home, 'index.lock'))).toBe(false)
})

describe('a lock is taken over at once', () => {
  test('when its process is gone', async () => {
    const { home } = leftLock(lockOf({ pid: await deadPid() }))
    const unlock = await lockStore(home, undefined, () => expect.unreachable())
    unlock()
  })

  test.each([
    {
      why: 'a process of our own number left it, as in a restarted container',
      contents: lockOf({}),
      ageMs: 0,
    },
    { why: 'it stayed empty', contents: '', ageMs: 3000 },
    { why: 'it stayed half written', contents: '{"pid": 12', ageMs: 3000 },
    { why: 'it is something else', contents: 'null', ageMs: 3000 },
    { why: 'it names no process', contents: '{"host": "here"}', ageMs: 3000 },
    {
      why: 'its process ended, and another one bears its number',
      contents: lockOf({ pid: process.ppid, started: 'before this machine was started/1' }),
      ageMs: 0,
    },
  ])('when $why', async ({ contents, ageMs }) => {
    const { home, file } = leftLock(contents, ageMs)
    const unlock = await lockStore(home, undefined, () => expect.unreachable())
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
    unlock()
    expect(existsSync(file)).toBe(false)
    expect(existsSync(`${file}.breaker`)).toBe(false)
  })

  test('even when a crash left the file that guards taking over', async () => {
    const { home, file } = leftLock(lockOf({}))
    writeFileSync(`${file}.breaker`, '')
    const time = new Date(Date.now() - 3000)
    utimesSync(`${file}.breaker`, time, time)
    const unlock = await lockStore(home, undefined)
    unlock()
    expect(existsSync(`${file}.breaker`)).toBe(false)
  })
})

describe('clocks that were set do not keep a lock alive', () => {
  const yearMs = 365 * 24 * 60 * 60_000

  test.each([
    { why: 'a lock that stayed empty', contents: '', breaker: false },
    { why: 'the guard of taking over', contents: lockOf({}), breaker: true },
  ])('$why, made when the clock ran years ahead, is taken over', async ({ contents, breaker }) => {
    const { home, file } = leftLock(contents, -3 * yearMs)
    const ahead = new Date(Date.now() + 3 * yearMs)
    if (breaker) {
      writeFileSync(`${file}.breaker`, '')
      utimesSync(`${file}.breaker`, ahead, ahead)
    }
    const unlock = await lockStore(home, undefined)
    unlock()
    expect(existsSync(file)).toBe(false)
  })

  test("another machine's lock is taken over when it is old and nobody touches it, and not while somebody does", async () => {
    const { home, file } = leftLock(lockOf({ host: 'elsewhere' }), 3 * yearMs)
    let touches = 0
    const touching = setInterval(() => {
      touches += 1
      const slow = new Date(Date.now() - 3 * yearMs + touches * 2000)
      if (touches <= 2) utimesSync(file, slow, slow)
    }, 1000)
    const told: Holder[] = []
    const started = performance.now()
    const unlock = await lockStore(home, undefined, (holder) => told.push(holder))
    clearInterval(touching)
    expect(told).toHaveLength(1)
    // It was touched for the last time after two seconds, and then watched for six.
    expect(performance.now() - started).toBeGreaterThan(7900)
    unlock()
  })
})

describe('a lock is waited for', () => {
  test('while its process lives, which is told once', async () => {
    const child = await idleProcess()
    const { home } = leftLock(lockOf({ pid: child.pid! }), 60 * 60_000)
    const told: Holder[] = []
    const waiting = lockStore(home, undefined, (holder) => {
      told.push(holder)
      setTimeout(() => child.kill('SIGKILL'), 500)
    })
    const unlock = await waiting
    expect(told).toMatchObject([{ pid: child.pid, host: hostname() }])
    unlock()
  })

  test.each([
    { why: 'is being written', contents: '', told: 0 },
    { why: 'is of another machine', contents: lockOf({ host: 'elsewhere', pid: 999_999_999 }), told: 1 },
  ])('while it $why, and no longer when that is no longer wanted', async ({ contents, told }) => {
    const { home, file } = leftLock(contents)
    const stop = new AbortController()
    const reason = new Error('enough')
    let count = 0
    const waiting = lockStore(home, stop.signal, () => {
      count += 1
    })
    setTimeout(() => stop.abort(reason), 500)
    await expect(waiting).rejects.toBe(reason)
    expect([count, readFileSync(file, 'utf8')]).toEqual([told, contents])
  })

  test('by another one of the same process', async () => {
    const home = storeFolder()
    const unlock = await lockStore(home, undefined)
    let isSecondIn = false
    const second = lockStore(home, undefined).then((unlockSecond) => {
      isSecondIn = true
      unlockSecond()
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(isSecondIn).toBe(false)
    unlock()
    await second
  })
})

test('a lock that somebody else took over is not removed by its former holder', async () => {
  const home = storeFolder()
  const unlock = await lockStore(home, undefined)
  const file = join(home, 'index.lock')
  writeFileSync(file, lockOf({ host: 'elsewhere' }))
  unlock()
  expect(existsSync(file)).toBe(true)
})

test('a folder that cannot be made is an error that says where, why and what to do', async () => {
  const file = join(temporaryFolder(), 'a file')
  writeFileSync(file, '')
  const locking = lockStore(join(file, 'store'), undefined)
  await expect(locking).rejects.toThrow(StoreError)
  await expect(locking).rejects.toThrow(
    new RegExp(`^The store in ${join(file, 'store')} cannot be opened: .*\\.$`),
  )
})

test('a remote store has no lock', async () => {
  const unlock = await lockStore('s3://bucket/store', undefined)
  unlock()
  expect(existsSync('s3:')).toBe(false)
})

describe('processes that die with the lock in hand', () => {
  let compiled: CompiledScript
  beforeAll(() => {
    compiled = compileScript('test/fixtures/take-turns.ts')
  })
  afterAll(() => compiled.remove())

  test('are followed by one process at a time', async () => {
    const home = storeFolder()
    mkdirSync(dirname(home), { recursive: true })
    const runs = Array.from({ length: 4 }, async () => {
      let deaths = 0
      for (;;) {
        const child = spawn(process.execPath, [compiled.script, home], { stdio: 'inherit' })
        const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
        if (signal === 'SIGKILL') deaths += 1
        else return { code, deaths }
      }
    })
    const results = await Promise.all(runs)
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(results.reduce((sum, { deaths }) => sum + deaths, 0)).toBeGreaterThan(0)
    rmSync(home, { recursive: true })
  })
})
