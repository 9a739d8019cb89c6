import { readFileSync } from 'node:fs'
import type { Browser, CDPSession } from 'playwright-core'

/** A tab that nothing inspects: an inspector of the network keeps every answer in the tab's own memory. */
export type PlainTab = {
  /** Runs JavaScript, and gives what it resolves to. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Types as from a keyboard, into what has the focus. */
  type(text: string): Promise<void>
  /** What its process holds for itself (RssAnon), bytes. */
  bytes(): Promise<number>
  collectGarbage(): Promise<void>
}

/** Milliseconds between two keys: somebody who types fast. */
export const keyMs = 60

/** Opens one in the browser's own profile, where Playwright attaches to no page. */
export async function plainTab(browser: Browser, url: string): Promise<PlainTab> {
  const root = await browser.newBrowserCDPSession()
  const before = new Set(await renderers(root))
  const { targetId } = await root.send('Target.createTarget', { url })
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map<number, (answer: { readonly result?: { readonly value?: unknown } }) => void>()
  root.on('Target.receivedMessageFromTarget', ({ sessionId: of, message }) => {
    const { id, result } = JSON.parse(message) as { id: number; result?: object }
    if (of === sessionId) waiting.get(id)?.(result ?? {})
    waiting.delete(id)
  })
  let last = 0
  const send = (method: string, params: object = {}) =>
    new Promise<{ readonly result?: { readonly value?: unknown } }>((resolve, reject) => {
      last += 1
      waiting.set(last, resolve)
      const message = JSON.stringify({ id: last, method, params })
      root.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject)
    })
  return {
    async evaluate<Value>(expression: string) {
      const { result } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
      return result?.value as Value
    },
    async type(text) {
      for (const key of text) {
        await send('Input.dispatchKeyEvent', { type: 'char', text: key })
        await new Promise((resolve) => setTimeout(resolve, keyMs))
      }
    },
    async bytes() {
      const own = (await renderers(root)).filter((id) => !before.has(id)).map(heldBy)
      return Math.max(...own)
    },
    collectGarbage: async () => void (await send('HeapProfiler.collectGarbage')),
  }
}

async function renderers(root: CDPSession): Promise<readonly number[]> {
  const { processInfo } = await root.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

const heldBy = (id: number): number =>
  1_024 * Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
