import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { HostBlock } from './host-block.ts'
import { insertProperty, replaceValue } from './insert-property.ts'

/** A host's configuration cannot be written without harm; nothing was written. The message says what to do. */
export class HostConfigError extends Error {
  override readonly name = 'HostConfigError'
}

/** What became of the configuration. */
export type HostConfigChange = {
  readonly outcome: 'created' | 'added' | 'replaced' | 'unchanged'
  /** Absolute path of the file, links followed. */
  readonly path: string
  /** The copy of the file as it was; made by the first change only. Absent when there was no file or no change. */
  readonly backup?: string
}

/**
 * Puts Audition's entry into a host's configuration. Comments, order, indentation and all else stay byte for byte;
 * the file is replaced in one step and keeps its permissions; missing folders and files are made.
 *
 * @param onConflict - what to do when there is another entry of our name
 * @throws HostConfigError when the file is no valid JSON with comments, read-only, of another shape, or in conflict
 */
export async function writeHostConfig(
  path: string,
  block: Pick<HostBlock, 'servers' | 'name' | 'entry' | 'text'>,
  onConflict: 'refuse' | 'replace' = 'refuse',
): Promise<HostConfigChange> {
  const target = await targetOf(path)
  const old = await contentsOf(target)
  const edited = editedText(target, old ?? '', block, onConflict)
  if (edited.outcome === 'unchanged') return { outcome: 'unchanged', path: target }
  if (old === undefined) {
    await replaceFile(target, edited.text)
    return { outcome: 'created', path: target }
  }
  const { mode } = await stat(target)
  if ((mode & 0o222) === 0)
    throw new HostConfigError(`${target} is read-only. Make it writable, or paste the block yourself.`)
  const backup = await backUp(target)
  await replaceFile(target, edited.text, mode & 0o7777)
  return { outcome: edited.outcome, path: target, backup }
}

type Edited = { readonly outcome: 'added' | 'replaced' | 'unchanged'; readonly text: string }

function editedText(
  path: string,
  text: string,
  block: Pick<HostBlock, 'servers' | 'name' | 'entry' | 'text'>,
  onConflict: 'refuse' | 'replace',
): Edited {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const plain = text.slice(mark.length)
  const root = rootOf(path, plain)
  if (root === undefined) return { outcome: 'added', text: mark + plain + separator(plain) + block.text }
  const edited = editedTree(path, plain, root, block, onConflict)
  if (edited.outcome !== 'unchanged') assertOnlyOurs(path, root, edited.text, block)
  return { outcome: edited.outcome, text: mark + edited.text }
}

function editedTree(
  path: string,
  text: string,
  root: Node,
  { servers, name, entry }: Pick<HostBlock, 'servers' | 'name' | 'entry'>,
  onConflict: 'refuse' | 'replace',
): Edited {
  const list = findNodeAtLocation(root, [servers])
  if (list === undefined)
    return { outcome: 'added', text: insertProperty(text, root, servers, { [name]: plainEntry(entry) }) }
  if (list.type !== 'object') {
    throw new HostConfigError(`${path}: "${servers}" is no object. Correct it, or remove it.`)
  }
  const present = findNodeAtLocation(list, [name])
  if (present === undefined)
    return { outcome: 'added', text: insertProperty(text, list, name, plainEntry(entry)) }
  if (isDeepStrictEqual(valueAt(present), plainEntry(entry))) return { outcome: 'unchanged', text }
  if (onConflict === 'refuse') {
    throw new HostConfigError(
      `${path}: there is another entry "${name}" in "${servers}". Pass --replace to overwrite it, or rename it.`,
    )
  }
  return { outcome: 'replaced', text: replaceValue(text, present.parent!, plainEntry(entry)) }
}

const plainEntry = (entry: HostBlock['entry']): JsonObject => JSON.parse(JSON.stringify(entry)) as JsonObject

/** The value of a node, with the plain objects that comparisons expect. */
const valueAt = (node: Node): unknown => JSON.parse(JSON.stringify(getNodeValue(node)))

/** The tree of the text; undefined when it holds nothing but white space and comments. */
function rootOf(path: string, text: string): Node | undefined {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const first = errors[0]
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new HostConfigError(
      `${path}: line ${line} is not valid JSON (${printParseErrorCode(first.error)}). Correct it, or paste the block yourself; nothing was written.`,
    )
  }
  if (root !== undefined && root.type !== 'object') {
    throw new HostConfigError(
      `${path}: holds no JSON object. Correct it, or remove the file; nothing was written.`,
    )
  }
  return root
}

const separator = (text: string): string => (text === '' || text.endsWith('\n') ? '' : '\n')

/** The last guard before someone's configuration is written: apart from our entry, it must say what it said. */
function assertOnlyOurs(
  path: string,
  before: Node,
  text: string,
  { servers, name, entry }: Pick<HostBlock, 'servers' | 'name' | 'entry'>,
): void {
  const after = rootOf(path, text)
  const others = (root: Node) => {
    const config = valueAt(root) as JsonObject
    const list = isJsonObject(config[servers]) ? config[servers] : {}
    return { ...config, [servers]: { ...list, [name]: null } }
  }
  if (after !== undefined && isDeepStrictEqual(others(before), others(after))) {
    const config = valueAt(after) as JsonObject
    const list = config[servers]
    if (isJsonObject(list) && isDeepStrictEqual(list[name], plainEntry(entry))) return
  }
  throw new HostConfigError(
    `${path}: cannot be edited safely. Paste the block yourself; nothing was written.`,
  )
}

/** Where a path leads, links followed, also those to a file that is not there yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // Whatever else is wrong with it, links in a circle too, reading it says.
    if (codeOf(error) !== 'ENOENT') return path
    const link = await readlink(path).catch(() => null)
    return link === null ? path : targetOf(resolve(await realpath(dirname(path)), link))
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** The text of the file, or undefined when there is none. */
async function contentsOf(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT') return undefined
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new HostConfigError(`${path}: is not UTF-8. Save it as UTF-8; nothing was written.`, { cause })
    }
    throw new HostConfigError(`${path}: cannot be read (${String(code)}). Check its permissions.`, { cause })
  }
}

/** Copies the file beside itself unless that was done before: the copy is of the time before our first change. */
async function backUp(path: string): Promise<string> {
  const backup = `${path}.bak`
  await copyFile(path, backup, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return backup
}

/**
 * Writes beside the file and renames, so that no reader ever meets half a file.
 *
 * @param mode - permissions to keep; a new file gets what the user's mask gives
 */
async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const fresh = `${path}.${process.pid}.new`
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(fresh, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (mode !== undefined) await chmod(fresh, mode)
    await rename(fresh, path)
  } catch (cause) {
    await rm(fresh, { force: true })
    throw new HostConfigError(
      `${path}: cannot be written (${String(codeOf(cause) ?? cause)}). Check its permissions.`,
      { cause },
    )
  }
}
