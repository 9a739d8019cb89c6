import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Where a Chromium is, if there is one. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM_PATH, ...places].find(
  (path) => path !== undefined && existsSync(path),
)

/** A headless Chromium with a profile of its own, which asks nothing of the network. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No Chromium. Install one, or set CHROMIUM_PATH.')
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A page, and everything it said or asked for. */
export type WatchedPage = { readonly page: Page; readonly said: string[]; readonly asked: string[] }

/** Opens a file in a context of its own and notes console messages, errors, dialogs and requests. */
export async function openWatched(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const said: string[] = []
  const asked: string[] = []
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => said.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    said.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(url)
  return { page, said, asked }
}
