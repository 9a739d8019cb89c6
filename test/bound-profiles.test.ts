import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { temporaryFolder } from './catalog/temporary-folder.ts'
import { runCaptured } from './fakes/captured-terminal.ts'

type Run = { readonly [field: string]: unknown }
type Place = { readonly folder: string; script(path: string, name: string): string }

/** Profiles that run a command, changed once a person has allowed them. */
const changes: readonly {
  readonly what: string
  readonly before: (place: Place) => Run
  readonly after: (place: Place) => Run
  readonly was: RegExp
  readonly now: RegExp
}[] = [
  {
    what: 'the folder of a command that needs none named',
    before: (place) => {
      place.script('a/run.sh', 'good')
      place.script('b/run.sh', 'evil')
      return { command: '/bin/sh', args: ['run.sh'], cwd: './a' }
    },
    after: () => ({ command: '/bin/sh', args: ['run.sh'], cwd: './b' }),
    was: /was {2}folder: \S*\/a/,
    now: /now {2}folder: \S*\/b/,
  },
  {
    what: 'the folder of a program without arguments, such as make',
    before: (place) => {
      place.script('a/do', 'good')
      place.script('b/do', 'evil')
      return { command: place.script('make', 'make'), cwd: './a' }
    },
    after: ({ folder }) => ({ command: join(folder, 'make'), cwd: './b' }),
    was: /was {2}folder: \S*\/a/,
    now: /now {2}folder: \S*\/b/,
  },
  {
    what: 'the folder in which an interpreter finds a module',
    before: (place) => {
      place.script('a/tool', 'good')
      place.script('b/tool', 'evil')
      return { command: place.script('python', 'python'), args: ['-m', 'tool'], cwd: './a' }
    },
    after: ({ folder }) => ({ command: join(folder, 'python'), args: ['-m', 'tool'], cwd: './b' }),
    was: /was {2}folder: \S*\/a/,
    now: /now {2}folder: \S*\/b/,
  },
  {
    what: 'where the script of an interpreter leads',
    before: (place) => ({ command: 'sh', args: [linked(place, place.script('good.sh', 'good'))] }),
    after: (place) => ({ command: 'sh', args: [linked(place, place.script('evil.sh', 'evil'))] }),
    was: /was .*leads to: \S*good\.sh/,
    now: /now .*leads to: \S*evil\.sh/,
  },
  {
    what: 'the program behind the name',
    before: (place) => ({ command: linked(place, place.script('good.sh', 'good')) }),
    after: (place) => ({ command: linked(place, place.script('evil.sh', 'evil')) }),
    was: /was {2}program: \S*good\.sh/,
    now: /now {2}program: \S*evil\.sh/,
  },
  {
    what: 'a variable that a shell reads at its start',
    before: (place) => ({ command: place.script('good.sh', 'good'), env: { ENV: '' } }),
    after: ({ folder }) => ({ command: join(folder, 'good.sh'), env: { ENV: './evil.sh' } }),
    was: /was {2}variable ENV/,
    now: /now {2}variable ENV: \.\/evil\.sh/,
  },
  {
    what: 'the whole command',
    before: (place) => ({ command: place.script('good.sh', 'good') }),
    after: (place) => ({ command: place.script('evil.sh', 'evil'), args: ['--all'] }),
    was: /was {2}program: \S*good\.sh/,
    now: /now {2}arguments: --all/,
  },
]

function linked({ folder }: Place, target: string): string {
  const link = join(folder, 'link.sh')
  rmSync(link, { force: true })
  symlinkSync(target, link)
  return link
}

async function house() {
  const folder = temporaryFolder()
  const log = join(folder, 'log')
  const file = join(folder, 'agents', 'worker.yaml')
  mkdirSync(join(folder, 'agents', 'a'), { recursive: true })
  mkdirSync(join(folder, 'agents', 'b'))
  const place: Place = {
    folder: join(folder, 'agents'),
    script(path, name) {
      const script = join(folder, 'agents', path)
      writeFileSync(script, `#!/bin/sh\necho ${name} >> ${log}\necho done by ${name}\n`)
      chmodSync(script, 0o755)
      return script
    },
  }
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    AUDITION_MODEL: 'none',
  }
  const app = openAudition(configFrom(env))
  onTestFinished(() => app.close())
  return {
    place,
    settings: env.AUDITION_SETTINGS,
    write: (run: Run, name = 'worker') =>
      writeFileSync(
        file.replace('worker', name),
        `profile: audition/v1\nname: ${name}\ndescription: Works as ${name}\nrun: ${JSON.stringify(run)}\n`,
      ),
    run: (...argv: readonly string[]) =>
      runCaptured(argv, app, { cwd: folder, home: env.HOME, env: { ...env, COLUMNS: '400' } }),
    started() {
      const text = existsSync(log) ? readFileSync(log, 'utf8').trim() : ''
      rmSync(log, { force: true })
      return text === '' ? [] : text.split('\n')
    },
  }
}

describe.each(changes)('$what, of a profile that was allowed', ({ before, after, was, now }) => {
  test('is run again only when a person has seen the difference', async () => {
    const { place, write, run, started } = await house()
    write(before(place))
    expect((await run('index', 'agents', '--as', 'agents')).code).toBe(0)
    expect(await run('allow', 'agents/worker', '--yes', '--no-sandbox')).toMatchObject({ code: 0 })
    expect((await run('run', 'agents/worker', 'work')).code).toBe(0)
    expect(started()).not.toEqual([])
    write(after(place))
    const refused = await run('run', 'agents/worker', 'work')
    const probed = await run('probe', 'agents/worker', '--task', 'work')
    expect(started()).toEqual([])
    for (const text of [refused.stderr, probed.stdout]) {
      expect(text).toContain('it changed since you allowed it')
      expect(text).toMatch(was)
      expect(text).toMatch(now)
    }
    expect((await run('allow', 'agents/worker', '--yes', '--no-sandbox')).code).toBe(0)
    expect((await run('run', 'agents/worker', 'work')).code).toBe(0)
    expect(started()).toHaveLength(1)
  })
})

test('two profiles that differ in their folders alone are allowed each by itself, and stay so', async () => {
  const { place, write, run, started } = await house()
  const make = place.script('make', 'make')
  write({ command: make, cwd: './a' }, 'one')
  write({ command: make, cwd: './b' }, 'two')
  await run('index', 'agents', '--as', 'agents')
  await run('allow', 'agents/one', '--yes', '--no-sandbox')
  expect((await run('run', 'agents/two', 'work')).code).toBe(1)
  expect(started()).toEqual([])
  await run('allow', 'agents/two', '--yes', '--no-sandbox')
  for (const id of ['agents/one', 'agents/two']) expect((await run('run', id, 'work')).code).toBe(0)
  expect(started()).toHaveLength(2)
})
