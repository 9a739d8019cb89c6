import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openAudition } from '../../src/compose/app.ts'
import type { Audition } from '../../src/compose/audition.ts'
import { configFrom } from '../../src/config.ts'
import { isJsonObject } from '../../src/domain/json.ts'
import { type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { type ModelServer, modelServer } from '../fakes/model-server.ts'

const desk = fileURLToPath(new URL('../fixtures/mcp-servers/desk.mjs', import.meta.url))
const token = 'a-token-of-the-test'

/** A user's home with two servers, one of which does not start, a store that is empty, a model, and the page. */
export type PageHouse = {
  readonly app: Audition
  readonly folder: string
  readonly model: ModelServer
  /** What the server says of `remind_customer` from now on. */
  say(text: string): void
  /** Opens the page as its owner, or as a caller. */
  open(browser: Browser, how?: OpenHow): Promise<Opened>
  /** Ends the server of the owner's page, does something, and starts it again where it was. */
  away(meanwhile: () => Promise<void>): Promise<void>
  close(): Promise<void>
}
type OpenHow = {
  readonly at?: string
  readonly role?: 'owner' | 'caller'
  readonly options?: BrowserContextOptions
  /** Whether the token is given beforehand. @defaultValue true */
  readonly isKnown?: boolean
}
type Opened = {
  readonly page: Page
  readonly asked: string[]
  readonly said: string[]
  readonly origin: string
}

/** Calls the first tool that adds up, then answers with what it said. */
const script: Parameters<typeof modelServer>[0] = ({ body }) => {
  const tools = Array.isArray(body.tools) ? body.tools : []
  const names = tools.flatMap((one) =>
    isJsonObject(one) && isJsonObject(one.function) ? [String(one.function.name)] : [],
  )
  const messages = Array.isArray(body.messages) ? body.messages : []
  const isAsked = messages.some((one) => isJsonObject(one) && one.role === 'tool')
  const adder = names.find((name) => name.includes('add_numbers'))
  if (adder !== undefined && !isAsked) return { calls: [{ tool: adder, arguments: { numbers: [120, 80] } }] }
  return {
    text: isAsked ? 'The total is 200.' : JSON.stringify({ agents: [{ backbone: 'M1', tools: ['T1'] }] }),
  }
}

export async function pageHouse(): Promise<PageHouse> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'audition-page-')))
  const text = join(folder, 'said.txt')
  const servers = {
    desk: { command: process.execPath, args: [desk, text] },
    gone: { command: process.execPath, args: [join(folder, 'nothing-here.mjs')] },
  }
  writeFileSync(join(folder, '.claude.json'), JSON.stringify({ mcpServers: servers }))
  writeFileSync(join(folder, 'settings.yaml'), 'allow: []\n')
  const model = await modelServer(script)
  const app = openAudition(
    configFrom({
      AUDITION_READER: 'none',
      AUDITION_HOME: join(folder, 'store'),
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
      AUDITION_LLM: model.spec('openai-compatible'),
      AUDITION_LLM_KEY: 'sk-test',
      HOME: folder,
      PATH: process.env.PATH,
    }),
  )
  const user = { home: folder, platform: process.platform, env: { HOME: folder } }
  const servings = new Map<string, HttpServing>()
  const serving = async (role: 'owner' | 'caller', port = 0): Promise<HttpServing> => {
    const known = servings.get(role)
    if (known !== undefined) return known
    const served = await serveHttp(app, { port, token, page: { role }, surrounded: { user, cwd: folder } })
    servings.set(role, served)
    return served
  }
  return {
    app,
    folder,
    model,
    say: (words) => writeFileSync(text, words),
    async open(browser, { at = '#/', role = 'owner', options = {}, isKnown = true } = {}) {
      const { port } = await serving(role)
      const origin = `http://127.0.0.1:${port}`
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
      if (isKnown)
        await context.addInitScript(`sessionStorage.setItem('audition-token', ${JSON.stringify(token)})`)
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const [asked, said]: [string[], string[]] = [[], []]
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', (error) => said.push(`error: ${error.message}`))
      await page.goto(`${origin}/${at}`)
      await page.waitForSelector('main')
      return { page, asked, said, origin }
    },
    async away(meanwhile) {
      const served = await serving('owner')
      await served.close()
      servings.delete('owner')
      await meanwhile()
      await serving('owner', served.port)
    },
    async close() {
      await Promise.all([...servings.values()].map((served) => served.close()))
      await app.close()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Agents that print what they are told to, as profiles in a folder. */
export function writeAgents(folder: string, answers: { readonly [name: string]: string }): string {
  const place = join(folder, 'agents')
  mkdirSync(place, { recursive: true })
  for (const [name, answer] of Object.entries(answers)) {
    const code = JSON.stringify(`console.log(${JSON.stringify(answer)})`)
    writeFileSync(
      join(place, `${name}.yaml`),
      `profile: audition/v1\nname: ${name}\ndescription: Tells the total of the month.\nrun: { command: node, args: ["-e", ${code}] }\n`,
    )
  }
  return place
}
