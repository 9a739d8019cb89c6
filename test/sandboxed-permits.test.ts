import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bubblewrap } from '../src/adapters/processes/sandbox/bubblewrap.ts'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { folderWith } from './catalog/temporary-folder.ts'
import { runCaptured } from './fakes/captured-terminal.ts'

const works = (await bubblewrap({ home: '/', hidden: [] }).fault()) === null

/** Tells whether it could read a file of the user's and reach a server of the machine. */
const curious = (diary: string, port: number): string => `
  const { readFileSync } = require('node:fs')
  const { connect } = require('node:net')
  const read = (() => { try { return readFileSync(${JSON.stringify(diary)}, 'utf8') } catch { return 'no file' } })()
  const say = (reached) => { console.log(read + ', ' + reached); process.exit() }
  connect(${port}, '127.0.0.1').on('connect', () => say('reached')).on('error', () => say('not reached'))
`

/** A command of somebody's, a person's home, and an Audition of their own. */
async function place(settings = '') {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const folder = folderWith({
    'home/diary.txt': 'dear diary',
    'settings.yaml': settings,
    'agents/x.md': '',
    'bin/x': '',
  })
  const script = curious(join(folder, 'home/diary.txt'), (server.address() as AddressInfo).port)
  writeFileSync(join(folder, 'agents', 'curious.cjs'), script)
  writeFileSync(
    join(folder, 'agents', 'curious.yaml'),
    'profile: audition/v1\nname: curious\ndescription: Looks around\nrun:\n  command: node\n  args: [./curious.cjs]\n',
  )
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: join(folder, 'home'),
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    AUDITION_MODEL: 'none',
  }
  const app = openAudition(configFrom(env))
  onTestFinished(() => app.close())
  const run = (...argv: readonly string[]) =>
    runCaptured(argv, app, { cwd: folder, home: env.HOME, env: { ...env, COLUMNS: '400' } })
  await run('index', join(folder, 'agents', 'curious.yaml'))
  const [id = ''] = await app.completeIds('', 1, 'agent')
  const answer = async () => (await run('run', id, 'look')).stdout
  const breakSandbox = () =>
    writeFileSync(join(folder, 'bin', 'bwrap'), '#!/bin/sh\necho no namespaces >&2\nexit 1\n', {
      mode: 0o755,
    })
  return {
    run,
    id,
    answer,
    folder,
    breakSandbox,
    settings: () => readFileSync(env.AUDITION_SETTINGS, 'utf8'),
  }
}

describe.runIf(works)('a command of an agent, where the settings choose no sandbox', () => {
  test('is allowed for the one that works here, without the network', async () => {
    const { run, id, answer, settings } = await place()
    const allowed = await run('allow', id, '--yes')
    expect(allowed.stderr).toMatch(/held by: bubblewrap: .*your home.* hidden; no network/)
    expect(settings()).toContain('"sandbox":"bubblewrap"')
    expect(await answer()).toContain('no file, not reached')
    expect((await run('allow')).stdout).toContain('held by: bubblewrap, no network')

    // Another word of the same person's takes the place of the first, without a removal.
    await run('allow', id, '--yes', '--network')
    expect(await answer()).toContain('no file, reached')
    await run('allow', id, '--yes', '--no-sandbox')
    expect(await answer()).toContain('dear diary, reached')
    expect(settings().match(/command:/g)).toHaveLength(1)
  })

  test('is allowed without one by --no-sandbox, and the answer says what that means', async () => {
    const { run, id, answer, settings } = await place()
    expect((await run('allow', id, '--yes', '--no-sandbox')).stderr).toContain('held by: no sandbox')
    expect(settings()).not.toContain('bubblewrap')
    expect(await answer()).toContain('dear diary, reached')
  })

  test('is held as the settings say where they choose for all programs', async () => {
    const { run, id, answer, settings } = await place('sandbox: { kind: bubblewrap, network: true }\n')
    await run('allow', id, '--yes')
    expect(settings()).not.toContain('"sandbox":"bubblewrap"')
    expect(await answer()).toContain('no file, reached')
  })

  test('is not started when that one stops working, and the way out is its permit', async () => {
    const { run, id, answer, breakSandbox, settings } = await place()
    await run('allow', id, '--yes')
    breakSandbox()
    const refused = await run('run', id, 'look')
    expect(refused.code).not.toBe(0)
    expect(refused.stdout + refused.stderr).toMatch(
      /does not work here: no namespaces.*`audition allow curious\/curious --no-sandbox`/s,
    )
    expect(refused.stdout + refused.stderr).not.toContain('sandbox.kind')
    expect((await run('allow', id, '--yes', '--network')).code).not.toBe(0) // opens what does not work
    expect(settings()).toContain('"sandbox":"bubblewrap"')
    expect((await run('allow', id, '--yes', '--no-sandbox')).code).toBe(0)
    expect(await answer()).toContain('dear diary, reached')
  })

  test.each([
    {
      settings: '',
      hint: /ran in a sandbox \(bubblewrap: .*`audition allow curious\/curious --network` opens the network, .*--no-sandbox`/,
    },
    {
      settings: 'sandbox: { kind: bubblewrap }\n',
      hint: /ran in a sandbox .*"sandbox" in settings\.yaml says/,
    },
  ])(
    'that fails in it is told where it ran, and how to open that: $settings',
    async ({ settings, hint }) => {
      const { run, id, folder } = await place(settings)
      writeFileSync(join(folder, 'agents', 'curious.cjs'), "console.error('no diary'); process.exit(3)")
      await run('allow', id, '--yes')
      const failed = await run('run', id, 'look')
      expect(failed.stdout + failed.stderr).toMatch(/exited with code 3/)
      expect(failed.stdout + failed.stderr).toMatch(hint)
      await run('allow', id, '--yes', '--no-sandbox')
      if (settings === '') expect((await run('run', id, 'look')).stderr).not.toContain('sandbox (')
    },
    60_000,
  )
})
