import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultChildLimits } from '../../src/adapters/processes/child-limits.ts'
import { startContained } from '../../src/adapters/processes/contained-child.ts'
import type { Opening, Sandbox } from '../../src/adapters/processes/sandbox/sandbox.ts'

/** A sandbox under test, and what it promises beyond a group and limits. */
export type SandboxSubject = {
  open(places: { readonly home: string; readonly hidden: readonly string[] }): Sandbox
  /** Keeps programs from files, secrets and the network. */
  readonly isolates: boolean
  /** Runs programs of this machine, Node among them. */
  readonly node: string
}

type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly out: string }

/** What every sandbox does, and what those that isolate keep programs from. */
export function sandboxContract(name: string, subject: SandboxSubject): void {
  describe(`the sandbox ${name}`, () => {
    let place: string
    let home: string
    let work: string
    let store: string
    let hidden: readonly string[]
    beforeAll(() => {
      place = realpathSync(mkdtempSync(join(tmpdir(), 'audition-sandbox-')))
      home = join(place, 'home')
      work = join(home, 'projects', 'agent')
      store = join(place, 'store')
      mkdirSync(join(home, '.ssh'), { recursive: true })
      mkdirSync(work, { recursive: true })
      mkdirSync(store)
      writeFileSync(join(home, '.ssh', 'id_ed25519'), 'hunter2')
      writeFileSync(join(home, 'diary.txt'), 'hunter2')
      writeFileSync(join(store, 'secret.txt'), 'hunter2')
      writeFileSync(join(work, 'own.txt'), 'mine')
      writeFileSync(join(work, '.env'), 'hunter2')
      writeFileSync(join(work, '.env.example'), 'mine')
      mkdirSync(join(home, 'scripts'))
      for (const name of ['tool.js', 'beside.js', '.env', '.env.local'])
        writeFileSync(join(home, 'scripts', name), name === 'tool.js' ? 'mine' : 'hunter2')
      mkdirSync(join(home, 'package', 'src'), { recursive: true })
      for (const name of ['package.json', 'src/tool.js', 'src/lib.js'])
        writeFileSync(join(home, 'package', name), 'mine')
      for (const name of ['.env', 'src/.env.production'])
        writeFileSync(join(home, 'package', name), 'hunter2')
      writeFileSync(join(work, 'settings.yaml'), 'hunter2')
      writeFileSync(join(work, 'target.yaml'), 'hunter2')
      symlinkSync(join(work, 'target.yaml'), join(work, 'link.yaml'))
      hidden = [store, join(work, 'settings.yaml'), join(work, 'link.yaml')]
    })
    afterAll(() => rmSync(place, { recursive: true, force: true }))

    const closed: Opening = { network: false, readable: [], writable: [] }
    const run = async (
      script: string,
      {
        cwd = work,
        opening = closed,
        env = {},
        input = '',
        named = [],
      }: {
        cwd?: string
        opening?: Opening
        env?: Record<string, string>
        input?: string
        named?: readonly string[]
      } = {},
    ): Promise<Ended> => {
      const child = await startContained(
        {
          command: subject.node,
          args: ['-e', script, '--', ...named],
          cwd,
          env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
        },
        {
          containment: {
            sandbox: subject.open({ home, hidden }),
            limits: defaultChildLimits,
            opening: () => opening,
          },
          permit: 'command:test',
          onExceeded: () => {},
        },
      )
      let out = ''
      child.process.stdout.on('data', (chunk: Buffer) => (out += chunk))
      child.process.stderr.on('data', (chunk: Buffer) => (out += chunk))
      child.process.stdin.end(input)
      const [code, signal] = (await once(child.process, 'close')) as [number | null, NodeJS.Signals | null]
      await child.stop('now')
      return { code, signal, out }
    }
    const read = (file: string) =>
      `try { console.log(require('fs').readFileSync(${JSON.stringify(file)}, 'utf8')) } catch (error) { console.log(error.code) }`
    const write = (file: string) =>
      `try { require('fs').writeFileSync(${JSON.stringify(file)}, 'x'); console.log('written') } catch (error) { console.log(error.code) }`

    test('works here', async () => {
      expect(await subject.open({ home, hidden: [] }).fault()).toBeNull()
    })

    test('hands on input, output, arguments, environment and the exit code', async () => {
      const script = `process.stdin.on('data', (text) => { console.log(String(text) + process.env.OWN); process.exitCode = 7 })`
      expect(await run(script, { input: 'said ', env: { OWN: 'value with "quotes" $HOME' } })).toMatchObject({
        code: 7,
        out: 'said value with "quotes" $HOME\n',
      })
    })

    test('runs in the working folder, where it may write', async () => {
      expect((await run('console.log(process.cwd())')).out.trim()).toBe(work)
      expect((await run(read(join(work, 'own.txt')))).out.trim()).toBe('mine')
      expect((await run(write(join(work, 'new.txt')))).out.trim()).toBe('written')
      expect(existsSync(join(work, 'new.txt'))).toBe(true)
    })

    test('says for people what it keeps programs from', () => {
      const text = subject.open({ home, hidden: [] }).describe(closed)
      expect(text).toMatch(subject.isolates ? /no network/ : /no sandbox/)
    })

    test.runIf(subject.isolates)('shows no secret, no home and no store', async () => {
      for (const file of [
        join(home, '.ssh', 'id_ed25519'),
        join(home, 'diary.txt'),
        join(store, 'secret.txt'),
      ])
        expect((await run(read(file))).out.trim(), file).toBe('ENOENT')
    })

    test.runIf(subject.isolates)(
      'hides a file of the working folder, and what a link there leads to',
      async () => {
        for (const name of ['settings.yaml', 'link.yaml', 'target.yaml'])
          expect((await run(read(join(work, name)))).out.trim(), name).toMatch(/^(?:EACCES)?$/)
      },
    )

    test.runIf(subject.isolates)('shows of what a line names that and no more', async () => {
      const tool = join(home, 'scripts', 'tool.js')
      expect((await run(read(tool))).out.trim()).toBe('ENOENT')
      expect((await run(read(tool), { named: [tool] })).out.trim()).toBe('mine')
      for (const name of ['beside.js', '.env', '.env.local'])
        expect((await run(read(join(home, 'scripts', name)), { named: [tool] })).out.trim(), name).toBe(
          'ENOENT',
        )
    })

    test.runIf(subject.isolates)(
      'shows the project of a file that is named, and not what it keeps in .env',
      async () => {
        const named = [join(home, 'package', 'src', 'tool.js')]
        expect((await run(read(join(home, 'package', 'src', 'lib.js')), { named })).out.trim()).toBe('mine')
        for (const name of ['.env', 'src/.env.production'])
          expect((await run(read(join(home, 'package', name)), { named })).out.trim(), name).toMatch(
            /^(?:EACCES)?$/,
          )
      },
    )

    test.runIf(subject.isolates)('hides .env of the working folder unless it is named itself', async () => {
      const file = join(work, '.env')
      expect((await run(read(file))).out.trim()).toMatch(/^(?:EACCES)?$/)
      expect((await run(read(join(work, '.env.example')))).out.trim()).toBe('mine')
      expect((await run(read(file), { named: [file] })).out.trim()).toBe('hunter2')
      expect((await run(read(file), { named: ['--env-file=.env'] })).out.trim()).toBe('hunter2')
      const opening: Opening = { network: false, readable: [file], writable: [] }
      expect((await run(read(file), { opening })).out.trim()).toBe('hunter2')
    })

    test.runIf(subject.isolates)('is written to nowhere else', async () => {
      for (const file of [
        '/usr/written.txt',
        '/etc/written.txt',
        join(home, 'written.txt'),
        join(place, 'written.txt'),
      ]) {
        await run(write(file))
        expect(existsSync(file), file).toBe(false)
      }
    })

    test.runIf(subject.isolates)('has no network unless it is opened', async () => {
      const server = createServer((socket) => void socket.end('hello')).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const dial = `require('net').connect(${port}, '127.0.0.1').on('data', (text) => console.log(String(text))).on('error', (error) => console.log(error.code))`
      try {
        expect((await run(dial)).out.trim()).toMatch(/^E(?:CONNREFUSED|NETUNREACH|HOSTUNREACH)$/)
      } finally {
        server.close()
      }
    })

    test.runIf(subject.isolates)('opens what the user names, and its secrets not even then', async () => {
      const opening: Opening = { network: false, readable: [home], writable: [] }
      expect((await run(read(join(home, 'diary.txt')), { opening })).out.trim()).toBe('hunter2')
      expect((await run(read(join(home, '.ssh', 'id_ed25519')), { opening })).out.trim()).not.toBe('hunter2')
      expect((await run(write(join(home, 'diary2.txt')), { opening })).out.trim()).not.toBe('written')
    })

    test.runIf(subject.isolates)('keeps the home folder closed when that is the working folder', async () => {
      expect((await run(read(join(home, 'diary.txt')), { cwd: home })).out.trim()).toBe('ENOENT')
      await run(write(join(home, 'written.txt')), { cwd: home })
      expect(existsSync(join(home, 'written.txt'))).toBe(false)
    })
  })
}
