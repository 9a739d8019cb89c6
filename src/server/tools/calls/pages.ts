import { createHmac, randomBytes } from 'node:crypto'
import { quoted } from '../../text.ts'
import { Mistake } from '../../mistakes.ts'

/** A part of a long text. */
export type Page = {
  readonly text: string
  /** The handle of the part that follows; absent at the end. */
  readonly more?: string
  /** Characters that follow it. */
  readonly left: number
}

type Kept = {
  readonly text: string
  readonly from: string
  readonly at: number
  /** Over whom it was called: nobody else gets the rest. */
  readonly app: object
}

/** Characters of a page: one scan of the size of a card. */
export const pageLength = 20_000
/** Characters kept of all results together, and how long. */
const most = { characters: 64 * 1024 * 1024, ms: 10 * 60_000 }

const kept = new Map<string, Kept>()

/** Nobody else can make handles, so that those that were given are known without keeping them. */
const secret = randomBytes(32)
const sealOf = (place: string): string =>
  createHmac('sha256', secret).update(place).digest('base64url').slice(0, 8)

/** @param place - the key of a text, and where in it */
const handleOf = (place: string): string => `${place}.${sealOf(place)}`

/** The first part of a text; what follows is kept for a while. @param from - the id of the card that it came from */
export function firstPage(text: string, { from, app }: Pick<Kept, 'from' | 'app'>): Page {
  if (text.length <= pageLength) return { text, left: 0 }
  const key = randomBytes(12).toString('base64url')
  kept.set(key, { text, from, app, at: performance.now() })
  forgetOld(key)
  return pageAt(text, key, 0)
}

/**
 * The part that a handle stands for: the same one whenever it is asked for.
 *
 * @param id - the card that it should have come from, where the caller says so
 * @throws Mistake when there is no such part, or it is not kept any more
 */
export function nextPage(handle: string, app: object, id?: string): Page & { readonly from: string } {
  const [, place = '', key = '', offset = ''] = /^(([\w-]{16})\.(\d{1,9}))\.[\w-]{8}$/.exec(handle) ?? []
  if (handle !== handleOf(place))
    throw new Mistake(
      'There is no such part: "more" goes as an answer gave it, to the server that gave it. Else make the call again.',
    )
  const found = kept.get(key)
  if (found?.app !== app)
    throw new Mistake(
      'This part is not kept any more: ten minutes at most, less after many long results. Make the call again.',
    )
  if (id !== undefined && id !== found.from)
    throw new Mistake(
      `This part is of ${quoted(found.from, 400)}, not of ${quoted(id, 400)}. Give "more" alone.`,
    )
  return { ...pageAt(found.text, key, Number(offset)), from: found.from }
}

function pageAt(text: string, key: string, from: number): Page {
  const end = from + pageLength >= text.length ? text.length : breakBefore(text, from, from + pageLength)
  const left = text.length - end
  return { text: text.slice(from, end), left, ...(left === 0 ? {} : { more: handleOf(`${key}.${end}`) }) }
}

/** Between two lines, else between two words, where there is such a place in the last quarter; never within a character. */
function breakBefore(text: string, from: number, to: number): number {
  const least = to - pageLength / 4
  const at = ['\n', ' ']
    .map((sign) => text.lastIndexOf(sign, to - 1) + 1)
    .find((place) => place > Math.max(from, least))
  if (at !== undefined) return at
  return /[\udc00-\udfff]/.test(text[to] ?? '') ? to - 1 : to
}

/** Keeps nothing more of what was called over an app. */
export function forgetPages(app: object): void {
  for (const [key, one] of kept) if (one.app === app) kept.delete(key)
}

function forgetOld(newest: string): void {
  let characters = 0
  for (const [key, { text, at }] of [...kept].reverse()) {
    characters += text.length
    const isOld = performance.now() - at > most.ms
    if (key !== newest && (isOld || characters > most.characters)) kept.delete(key)
  }
}
