import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { textOf } from '../../server/connect.ts'
import { runProgram } from '../faults/run-program.ts'
import { filesIn, harms } from './harms.ts'
import type { SoundStore } from './sound-store.ts'

/** Tables that a running server reads again and again: what is harmed under it. */
export const tablesUnderServer = ['tools', 'meta', 'track_record'] as const

/**
 * Harms a table while a server runs: its searches must say so and how to mend it, and be right again after a repair, without a new start.
 *
 * @param folder - empty
 * @returns what is wrong; nothing when all is well
 */
export async function damageUnderServer(
  program: string,
  store: SoundStore,
  table: (typeof tablesUnderServer)[number],
  folder: string,
): Promise<readonly string[]> {
  const home = join(folder, 'home')
  store.copyTo(home)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'serve'],
    cwd: folder,
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: join(folder, 'user'),
      AUDITION_READER: 'none',
      AUDITION_HOME: home,
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    },
  })
  let native = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    native += chunk.toString()
  })
  const client = new Client({ name: 'damage', version: '1.0.0' })
  await client.connect(transport)
  const search = async (): Promise<{
    readonly isError: boolean
    readonly ids: string
    readonly text: string
  }> => {
    // The server looks for commits and outcomes of others every second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const answer = await client.callTool({ name: 'search_tools', arguments: { query: 'send parcel 7' } })
    const { candidates = [] } = (answer.structuredContent ?? {}) as { candidates?: { id: string }[] }
    const ids = candidates.map(({ id }) => id).join()
    return { isError: answer.isError === true, ids, text: textOf(answer) }
  }
  try {
    const before = await search()
    const zeroed = harms.find(({ name }) => name === 'a third zeroed, middle')!
    for (const file of filesIn(home).filter((name) => name.startsWith(`${table}.lance/data/`)))
      zeroed.do(join(home, file))
    const damaged = await search()
    const repair = await runProgram({ program, words: ['doctor', '--repair', '--yes'], home })
    const after = await search()
    return [
      ...(before.ids === '' ? [`nothing is found at first: ${before.text}`] : []),
      ...(damaged.isError && /doctor --repair/.test(damaged.text) ? [] : [`damaged: ${damaged.text}`]),
      ...(/Mended\./.test(repair.stdout) ? [] : [`repair: ${repair.stdout}${repair.stderr}`]),
      ...(after.isError || after.ids !== before.ids ? [`after the repair: ${after.text}`] : []),
      ...(/panicked/.test(`${native}${repair.stdout}${repair.stderr}`) ? ['a panic is shown'] : []),
    ].map((wrong) => `${table}: ${wrong}`)
  } finally {
    await client.close()
  }
}
