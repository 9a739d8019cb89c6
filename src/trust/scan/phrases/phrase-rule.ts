/**
 * How bad a phrase is, by who is addressed.
 *
 * | level | in documentation | in an agent's own prompt |
 * | --- | --- | --- |
 * | `grave` | hard | hard |
 * | `strong` | hard | soft |
 * | `command` | hard | - |
 * | `weak` | soft | - |
 */
export type Level = 'grave' | 'strong' | 'command' | 'weak'

/** Phrases that say one thing, in whatever language. */
export type PhraseRule = {
  readonly name: string
  /** What is wrong, for people. */
  readonly says: string
  /** Lines in the notation of `phrase.ts`. */
  readonly phrases: { readonly [L in Level]?: readonly string[] }
}
