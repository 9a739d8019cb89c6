import { createHash } from 'node:crypto'
import { cardVersion, identify, withinNameLimit } from '../catalog/identity.ts'
import type { Problem, Reader, ReadResult, SourceDocument } from '../catalog/ports.ts'
import { openDocument } from '../catalog/source-document.ts'
import { namesOfSource, type SourceNames } from '../trust/scan/rules/card-names.ts'

/** A file of a source. */
export type SourceFile = {
  readonly path: string
  readonly reader: Reader
  /** Whether it is in memory until it is released. */
  readonly isKept: boolean
  /** @throws DocumentError when it has to be opened again, and cannot be */
  read(): ReadResult
  /** It was read: nothing of it has to be kept. */
  release(): void
}

/** Takes a file that was opened. */
export type FileKeeper = (document: SourceDocument, reader: Reader) => SourceFile

/** Characters of files that are kept from when a source is found until it is read; other files are opened again then. */
const mostKept = 64 * 1024 * 1024

/** @param most - characters */
export function fileKeeper(most = mostKept): FileKeeper {
  let room = most
  return (document, reader) => {
    const { path, label } = document
    const isPage = /^https?:/i.test(path)
    const isKept = isPage || document.text.length <= room
    let kept = isKept ? document : undefined
    if (isKept) room -= document.text.length
    let result: ReadResult | undefined
    return {
      path,
      reader,
      isKept,
      read() {
        if (result !== undefined) return result
        const made = reader.read(kept ?? openDocument(path, label))
        if (kept !== undefined) result = made
        return made
      },
      release() {
        result = undefined
        if (!isPage) kept = undefined
      },
    }
  }
}

/** Names of cards, and the parts of their ids after the slash. */
export type CardKeys = Omit<SourceNames, 'source'>

/** Those that drafts will have. */
export const namesOfDrafts = (drafts: Parameters<typeof identify>[1]): CardKeys =>
  namesOfSource('', identify('', withinNameLimit(drafts).drafts).cards)

/** The hash of files one after the other, of which only one has to be in memory. */
export function fingerprinting() {
  const hash = createHash('sha256').update(`${cardVersion}\n`)
  return {
    add({ path, text }: Pick<SourceDocument, 'path' | 'text'>): void {
      hash.update(`${path}\n${text.length}\n`).update(text)
    },
    /** Called once, at the end. */
    digest(unread: readonly { readonly path: string; readonly problem: Problem }[] = []): string {
      for (const { path, problem } of unread) hash.update(`unread ${path}\n${problem.message}\n`)
      return hash.digest('hex').slice(0, 32)
    },
  }
}
