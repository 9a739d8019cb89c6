import type { ServerSession } from './server-session.ts'

/** A call that has no answer yet. */
type CallUnderWay = {
  /** The server may have read it. Surely not, as long as it did not answer what was sent before. */
  isRead: boolean
  /** Nobody waits for it any more; the server may still be at it. */
  isGivenUp: boolean
}

/** Calls of one server that have no answer, so that one which makes it silent is not confused with those beside it. */
export type CallsUnderWay = {
  /** @param onTurn - called when the server came to this call, if it was at another one before */
  begin(onTurn?: () => void): CallUnderWay
  answered(call: CallUnderWay): void
  /** The server answered something: what nobody waits for did not silence it. */
  heard(): void
  /** Whether no other call can be why the server is silent, or gone. */
  isAlone(call: CallUnderWay, how: 'silent' | 'gone'): boolean
  /** Whether the server has read no other call, so that nothing is lost when it is ended. */
  areOthersUnread(call: CallUnderWay): boolean
}

export function callsUnderWay({
  answers,
  isProcess,
}: Pick<ServerSession, 'answers' | 'isProcess'>): CallsUnderWay {
  const open = new Set<CallUnderWay>()
  const others = (call: CallUnderWay): readonly CallUnderWay[] => [...open].filter((one) => one !== call)
  const areOthersUnread = (call: CallUnderWay): boolean => others(call).every(({ isRead }) => !isRead)
  return {
    begin(onTurn) {
      // A process reads its stdin in order: while it does not answer a ping, it has not read the call behind that.
      const isAsked = isProcess && open.size > 0
      const call = { isRead: !isAsked, isGivenUp: false }
      if (isAsked)
        void answers().then((did) => {
          call.isRead ||= did
          if (did) onTurn?.()
        })
      open.add(call)
      return call
    },
    answered: (call) => void open.delete(call),
    heard() {
      for (const call of open) if (call.isGivenUp) open.delete(call)
    },
    // A process that ends takes answers with it that it gave before: then nothing tells what it had read.
    isAlone: (call, how) =>
      call.isRead && (how === 'gone' ? others(call).length === 0 : areOthersUnread(call)),
    areOthersUnread,
  }
}
