import type { Span } from '../../../domain/finding.ts'
import { once } from '../../../domain/once.ts'
import { sentenceAt, sentenceBounds } from '../cut-sentences.ts'
import { plainText } from './plain-text.ts'

/** Moves stretches between a text and what is read of it: to whole sentences, or to all of it where those cannot be told. */
type Alignment = { toText(span: Span): Span; toPlain(span: Span): Span }

/** @param plain - `text` as `readableText` gives it */
export function alignment(text: string, plain: string): Alignment {
  if (text === plain) return { toText: (span) => span, toPlain: (span) => span }
  const bounds = once(() => alignedBounds(text, plain))
  return {
    toText: (span) => moved(span, bounds().plain, bounds().text),
    toPlain: (span) => moved(span, bounds().text, bounds().plain),
  }
}

type Bounds = { readonly text: readonly number[]; readonly plain: readonly number[] }

/** Where sentences begin in both. Each is read by itself, which gives the same unless a mark joins two of them. */
function alignedBounds(text: string, plain: string): Bounds {
  const bounds = sentenceBounds(text)
  const read = bounds.slice(1).map((end, at) => plainText(text.slice(bounds[at], end)))
  const plainBounds = [0]
  for (const piece of read) plainBounds.push(plainBounds.at(-1)! + piece.length)
  const isExact = plainBounds.at(-1) === plain.length && read.join('') === plainText(text)
  return isExact ? { text: bounds, plain: plainBounds } : { text: [0, text.length], plain: [0, plain.length] }
}

function moved([start, end]: Span, from: readonly number[], to: readonly number[]): Span {
  const last = from.length - 2
  return [
    to[Math.min(last, sentenceAt(from, start))]!,
    to[Math.min(last, sentenceAt(from, Math.max(start, end - 1))) + 1]!,
  ]
}
