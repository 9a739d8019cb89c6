import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse as parseJsonc, visit as visitJsonc } from 'jsonc-parser'
import { RemedyError } from '../domain/remedy-error.ts'
import { isNestedTooDeep } from './formats/structured-text.ts'
import { parseYaml } from './formats/parse-yaml.ts'
import type { Problem, SourceDocument } from './ports.ts'

/** Bytes a document may have, packed and unpacked: what fits a string and a patient reader. */
const mostBytes = 256 * 1024 * 1024
/** A zero byte this far from the start or nearer marks a file as binary. */
const binaryProbeBytes = 8192

/** A file cannot be read as text; {@link problem} says where, what, and what to do. */
export class DocumentError extends RemedyError {
  override readonly name = 'DocumentError'
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(`${problem.file}: ${problem.message}`, problem.remedy, options)
    this.problem = problem
  }
}

/**
 * Reads a file for the readers: unpacked when it is gzip (whatever its name says), UTF-8, byte-order mark removed.
 *
 * @param label - how to name the file to people
 * @throws DocumentError when the file is missing, too large, binary or not UTF-8
 */
export function openDocument(path: string, label: string = path): SourceDocument {
  const bytes = unpacked(contents(path, label), label)
  if (bytes.subarray(0, binaryProbeBytes).includes(0)) {
    throw problem(label, ['is binary or UTF-16, not text in UTF-8', 'Save it as UTF-8, or leave it out.'])
  }
  try {
    const document = documentFromText(path, new TextDecoder('utf-8', { fatal: true }).decode(bytes), label)
    return { ...document, beside: (other) => openedBeside(path, other) }
  } catch (cause) {
    throw problem(label, ['is not valid UTF-8', 'Save it as UTF-8, or leave it out.'], cause)
  }
}

function openedBeside(path: string, other: string): SourceDocument | undefined {
  try {
    return openDocument(join(dirname(path), other))
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}

/** A document over text that is already in memory: for pages fetched from a URL, and for tests. */
export function documentFromText(path: string, text: string, label: string = path): SourceDocument {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  let json: { readonly value: unknown } | undefined
  let yaml: { readonly value: unknown } | undefined
  return {
    path,
    label,
    text: plain,
    json() {
      json ??= { value: parseJson(plain) }
      return json.value
    },
    yaml() {
      yaml ??= { value: parseYaml(plain) }
      return yaml.value
    },
    beside: () => undefined,
  }
}

/** Opened without waiting: a pipe that nobody writes to would be waited for for ever. */
const readWithoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

function contents(path: string, label: string): Buffer {
  let file: number | undefined
  try {
    file = openSync(path, readWithoutWaiting)
    const found = fstatSync(file)
    if (found.isDirectory()) throw problem(label, ['is a folder', 'Give a file, or index the folder.'])
    if (!found.isFile())
      throw problem(label, [
        'is a pipe or a device, which may never end',
        'Save what it gives, and index the file.',
      ])
    if (found.size > mostBytes) throw tooLarge(label, `${Math.ceil(found.size / 1024 / 1024)} MB`)
    return readFileSync(file)
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOENT') throw problem(label, ['does not exist', 'Check the path.'], cause)
    if (code === 'EISDIR') throw problem(label, ['is a folder', 'Give a file, or index the folder.'], cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw problem(label, [`cannot be read: ${reason}`, 'Check its permissions.'], cause)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function unpacked(bytes: Buffer, label: string): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes })
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(label, 'more than 256 MB unpacked')
    throw problem(label, ['is damaged: gzip cannot unpack it', 'Download or pack it again.'], cause)
  }
}

const tooLarge = (label: string, size: string): DocumentError =>
  problem(label, [`is too large (${size}; the limit is 256 MB)`, 'Split it into smaller files.'])

const problem = (
  file: string,
  [message, remedy]: readonly [string, string],
  cause?: unknown,
): DocumentError => new DocumentError({ severity: 'error', file, message, remedy }, { cause })

/** JSON as it is, or with comments and trailing commas; undefined when the text is neither, or nested absurdly. */
function parseJson(text: string): unknown {
  if (!/^\s*(?:[[{"\d-]|\/[/*]|true|false|null)/.test(text)) return undefined
  const value = parsePlainOrCommentedJson(text)
  return value === undefined || isNestedTooDeep(text) ? undefined : value
}

function parsePlainOrCommentedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseCommentedJson(text)
  }
}

function parseCommentedJson(text: string): unknown {
  try {
    // The first error ends the visit, so that a long text of another format costs little.
    const onError = () => {
      throw new SyntaxError('not JSON')
    }
    visitJsonc(text, { onError }, { allowTrailingComma: true })
    return parseJsonc(text, [], { allowTrailingComma: true })
  } catch {
    return undefined // not JSON, or nested deeper than any real document
  }
}
