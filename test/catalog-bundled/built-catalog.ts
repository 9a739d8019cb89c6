import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** The repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The bundled servers by the names that profiles and hosts use. */
export const serverFiles = {
  'audition-arithmetic': 'arithmetic',
  'audition-calendar': 'calendar',
  'audition-text': 'text',
} as const

export type ServerName = keyof typeof serverFiles

/**
 * Compiles the bundled catalog as a release does, into a folder of its own where its imports can be found.
 *
 * @returns the folder that `${AUDITION_CATALOG}` would name, and how to remove it again
 */
export function buildCatalog(): { readonly folder: string; remove(): void } {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'audition-catalog-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  )
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    execFileSync(process.execPath, [compiler, '-p', 'tsconfig.catalog.json', '--outDir', folder], {
      cwd: root,
    })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

/** Starts one of the built servers and connects to it over stdio. */
export async function connectTo(folder: string, name: ServerName): Promise<Client> {
  const client = new Client({ name: 'catalog-test', version: '1.0.0' })
  const file = join(folder, 'servers', `${serverFiles[name]}.js`)
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }))
  return client
}
