import { InputError } from '../shared/input-error.ts'

/** One piece of an expression, with its position counted from 1 for messages. */
export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'name'; readonly text: string; readonly at: number }
  | { readonly kind: 'symbol'; readonly text: string; readonly at: number }

const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/
const name = /^[A-Za-z_][A-Za-z0-9_]*/
const symbol = /^(?:\*\*|[-+*/^()%!,])/

/** Signs people paste from documents, as the signs of the grammar. */
const spellings: { readonly [sign: string]: string } = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' }

/** Cuts an expression into tokens. @throws InputError at the first sign that is none */
export function tokensOf(expression: string): readonly Token[] {
  const text = [...expression].map((sign) => spellings[sign] ?? sign).join('')
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const blank = /^\s+/.exec(rest)
    if (blank) {
      at += blank[0].length
      continue
    }
    const token = tokenAtStartOf(rest, at + 1)
    tokens.push(token.token)
    at += token.length
  }
  return tokens
}

function tokenAtStartOf(rest: string, at: number): { readonly token: Token; readonly length: number } {
  const digits = number.exec(rest)?.[0]
  if (digits !== undefined) {
    return { token: { kind: 'number', value: Number(digits), at }, length: digits.length }
  }
  const word = name.exec(rest)?.[0]
  if (word !== undefined) return { token: { kind: 'name', text: word, at }, length: word.length }
  const sign = symbol.exec(rest)?.[0]
  if (sign !== undefined) {
    return { token: { kind: 'symbol', text: sign === '**' ? '^' : sign, at }, length: sign.length }
  }
  throw new InputError(
    `expression, position ${at}: "${rest.slice(0, 1)}" has no meaning here. ` +
      'Send numbers, + - * / ^ ( ), names of functions and variables; no currency signs or units.',
  )
}
