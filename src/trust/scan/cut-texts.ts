import type { CutFor, CutText, ReadableText } from './cut-suspected.ts'
import { notScanned } from './guarded-scan.ts'
import { largeCard, type ScanThread, scanThread } from './scan-thread.ts'
import { answerTo } from './scan-work.ts'

type CutOptions = {
  /** @defaultValue `all` */
  readonly cutFor?: CutFor
  /** @defaultValue stopped by nobody: the deadline of the scan ends it */
  readonly signal?: AbortSignal
  /** @defaultValue a thread of {@link scanThread} */
  readonly openThread?: () => ScanThread
}

/**
 * Looks through texts of others as through those of a card, and cuts out the sentences that are suspected. Long ones are looked through in
 * a thread under a deadline; what takes too long is cut out whole.
 *
 * @returns what became of the texts that were cut, by the text as it was
 */
export async function cutTexts(
  texts: readonly ReadableText[],
  { cutFor = 'all', signal, openThread = scanThread }: CutOptions = {},
): Promise<ReadonlyMap<string, CutText>> {
  const distinct = [...new Map(texts.map((one) => [one.text, one])).values()]
  const length = distinct.reduce((sum, { text }) => sum + text.length, 0)
  const work = { texts: distinct, cutFor }
  const answer = length <= largeCard ? answerTo(work) : await inThread(openThread())
  if ('unscanned' in answer)
    return new Map(distinct.flatMap(({ text }) => (text === '' ? [] : [[text, unread]])))
  return new Map(
    distinct.flatMap(({ text }, at) => {
      const cut = answer[at]
      return cut ? [[text, cut] as const] : []
    }),
  )

  async function inThread(thread: ScanThread) {
    try {
      return await thread.scan(work, length, signal ?? new AbortController().signal)
    } finally {
      await thread.close()
    }
  }
}

const unread: CutText = { text: `[cut: ${notScanned}]`, rules: [notScanned] }
