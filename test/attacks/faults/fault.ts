import type { Ended } from './run-program.ts'

/** Where a fault is brought about: an empty folder of its own, and the built program. */
export type Place = { readonly program: string; readonly folder: string }

/** What came of a fault. */
export type FaultReport =
  | {
      readonly kind: 'seen'
      /** What the program said, one line; empty where it had nothing to say. */
      readonly said: string
      /** What is wrong with that, or with the product afterwards; nothing when all is well. */
      readonly wrong: readonly string[]
    }
  /** This machine cannot bring it about. */
  | { readonly kind: 'skipped'; readonly why: string }

/** One thing that goes wrong around the product. */
export type Fault = {
  readonly group: string
  readonly name: string
  /** Takes longer than a test should: only the suite runs it. */
  readonly slow?: boolean
  run(place: Place): Promise<FaultReport>
}

/** What a clear error must have, and must not. */
export type Clear = {
  /** It says where, what or what to do in such words. */
  readonly says: readonly RegExp[]
  /** @defaultValue 1 */
  readonly code?: number
}

/** LanceDB's own word on damaged bytes, which its threads write before ours can say what to do. */
const panicOfDatabase =
  /^thread '[^'\n]*'[^\n]* panicked at [^\n]*\.rs:[^\n]*\n(?:[^\n]+\n)?(?:note: run with [^\n]*\n)?/gm

/** What is wrong with how a call ended that should have failed in words a person can follow. */
export function unclear({ code, hung, stderr, stdout }: Ended, clear: Clear): readonly string[] {
  const text = `${stdout}\n${stderr.replace(panicOfDatabase, '')}`
  return [
    ...(hung ? ['it hung'] : []),
    ...(code === (clear.code ?? 1) ? [] : [`it ended with ${code}`]),
    ...clear.says.filter((pattern) => !pattern.test(text)).map((pattern) => `it does not say ${pattern}`),
    ...(/\n\s+at .+:\d+:\d+\)?/.test(text) ? ['it shows a stack'] : []),
    ...(/panicked|Uncaught|UnhandledPromise|node:internal/.test(text) ? ['it shows a crash'] : []),
  ].map((fault) => (fault === 'it hung' || text.trim() === '' ? fault : `${fault}: ${lineOf(text)}`))
}

/** What is wrong with how a call ended that should have gone well. */
export const failed = (what: string, { code, hung, stderr }: Ended): readonly string[] =>
  hung ? [`${what} hung`] : code === 0 ? [] : [`${what} ended with ${code}: ${lineOf(stderr)}`]

/** The line of an output that says most: that of the error, or the last. */
export function lineOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((one) => /error|fail|cannot|lost|damage/i.test(one)) ?? lines.at(-1) ?? ''
  return line.trim().slice(0, 200)
}

/** A report of what was said. */
export const seen = (ended: Ended, wrong: readonly string[]): FaultReport => ({
  kind: 'seen',
  said: lineOf(`${ended.stderr}\n${ended.stdout}`),
  wrong,
})
