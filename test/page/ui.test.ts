import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { chromiumPath, launchChromium } from '../fakes/chromium.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'

const none = chromiumPath === undefined

test.skipIf(none)(
  `audition ui opens by an address that works once, and ends by Ctrl-C${none ? ' (skipped: no Chromium)' : ''}`,
  async () => {
    const { main } = await compiledPackage()
    const folder = mkdtempSync(join(tmpdir(), 'audition-ui-'))
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      AUDITION_HOME: join(folder, 'store'),
      AUDITION_READER: 'none',
    }
    const started = (...more: string[]) =>
      spawn(process.execPath, [main, 'ui', '--no-open', ...more], {
        env,
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const child = started()
    let again: ReturnType<typeof started> | undefined
    const exit = once(child, 'exit')
    const browser = await launchChromium()
    try {
      const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
      const told = once(
        createInterface(child.stderr).on('line', () => undefined),
        'line',
      )
      const first = await (await browser.newContext()).newPage()
      await first.goto(address)
      await first.getByText('Welcome. Nothing is indexed yet').waitFor()
      expect(first.url()).not.toContain('ticket')
      await first.reload()
      await first.getByText('Your machine').waitFor()
      await told
      const other = await first.context().newPage()
      await other.goto(address.slice(0, address.indexOf('#')))
      await other.getByText('Your machine').waitFor() // the tab that is open gives it the token
      const stranger = await (await browser.newContext()).newPage()
      await stranger.goto(address)
      await stranger.getByRole('alert').filter({ hasText: 'Open the address that it printed' }).waitFor()
      child.kill('SIGINT')
      expect(await exit).toEqual([0, null])
      again = started('--port', new URL(address).port)
      const [fresh] = (await once(createInterface(again.stdout), 'line')) as [string]
      await first.evaluate("location.hash = '#/permits'")
      const door = first
        .getByRole('alert')
        .filter({ hasText: 'Audition was started anew. Open the address that it printed' })
      await door.waitFor()
      expect(first.url()).toMatch(/#\/permits$/)
      await other.goto(fresh)
      await other.reload() // only the address behind the # is another: the browser does not load it anew
      await first.getByRole('heading', { name: 'Permits' }).waitFor()
    } finally {
      child.kill('SIGKILL')
      again?.kill('SIGKILL')
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  180_000,
)
