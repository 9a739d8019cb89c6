import { InputError } from '../shared/input-error.ts'
import { roundTo, tidy } from '../shared/rounding.ts'
import { constants, functions } from './functions.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Values of the names an expression uses. */
export type Variables = { readonly [name: string]: number }

/**
 * Evaluates an arithmetic expression with its own parser; nothing is ever executed as code.
 *
 * ```
 * sum     = product (("+" | "-") product)*
 * product = signed (("*" | "/") signed)*
 * signed  = ("-" | "+") signed | power
 * power   = postfix ["^" signed]             so -2^2 is -4 and 2^3^2 is 512
 * postfix = primary ("%" | "!")*             10% is 0.1
 * primary = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
 * ```
 *
 * @returns the value with 15 significant digits
 * @throws InputError with the position of the fault
 */
export function evaluateExpression(expression: string, variables: Variables = {}): number {
  const tokens = tokensOf(expression)
  if (tokens.length === 0) throw new InputError('expression is empty. Send for example "2 * (3 + 4)".')
  let next = 0

  const peek = (): Token | undefined => tokens[next]
  const takes = (...signs: readonly string[]): string | null => {
    const token = peek()
    if (token?.kind !== 'symbol' || !signs.includes(token.text)) return null
    next += 1
    return token.text
  }
  const expects = (sign: string, opened: Token) => {
    if (takes(sign) === null) {
      throw new InputError(
        `expression, position ${opened.at}: this "(" is not closed as expected, ${found(peek())}. Add "${sign}".`,
      )
    }
  }

  function sum(): number {
    let value = product()
    for (let sign = takes('+', '-'); sign !== null; sign = takes('+', '-')) {
      const right = product()
      value = sign === '+' ? value + right : value - right
    }
    return value
  }

  function product(): number {
    let value = signed()
    for (let sign = takes('*', '/'); sign !== null; sign = takes('*', '/')) {
      const right = signed()
      if (sign === '/' && right === 0) {
        throw new InputError('expression: division by zero. Send a divisor that is not zero.')
      }
      value = sign === '*' ? value * right : value / right
    }
    return value
  }

  function signed(): number {
    const sign = takes('-', '+')
    if (sign === null) return power()
    return sign === '-' ? -signed() : signed()
  }

  function power(): number {
    const base = postfix()
    return takes('^') === null ? base : base ** signed()
  }

  function postfix(): number {
    let value = primary()
    for (let sign = takes('%', '!'); sign !== null; sign = takes('%', '!')) {
      value = sign === '%' ? value / 100 : factorial(value)
    }
    return value
  }

  function primary(): number {
    const token = peek()
    next += 1
    if (token?.kind === 'number') return token.value
    if (token?.kind === 'name') return named(token.text, token.at)
    if (token?.kind === 'symbol' && token.text === '(') {
      const value = sum()
      expects(')', token)
      return value
    }
    throw new InputError(
      `expression, position ${token?.at ?? expression.length + 1}: a number was expected, ${found(token)}. ` +
        'Check for a missing number or a stray sign.',
    )
  }

  function named(name: string, at: number): number {
    const call = functions.get(name)
    const open = peek()
    if (open?.kind === 'symbol' && open.text === '(' && call !== undefined) {
      next += 1
      const values = [sum()]
      while (takes(',') !== null) values.push(sum())
      expects(')', open)
      if (values.length < call.least || values.length > call.most) {
        throw new InputError(
          `expression, position ${at}: ${name} takes ${call.least === call.most ? call.least : `${call.least} or more`} ` +
            `argument(s), not ${values.length}. Decimals are written with a point, thousands without a comma.`,
        )
      }
      return call.apply(values)
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : constants.get(name)
    if (value !== undefined) return value
    throw new InputError(
      `expression, position ${at}: "${name}" is unknown. Send its value in "variables", or use a constant ` +
        `(${[...constants.keys()].join(', ')}) or a function with parentheses (${[...functions.keys()].join(', ')}).`,
    )
  }

  const value = sum()
  const rest = peek()
  if (rest !== undefined) throw new InputError(leftOver(rest))
  if (!Number.isFinite(value)) {
    throw new InputError(
      'expression: the result is not a finite number (too large, or for example the root of a negative). ' +
        'Send smaller values or check the arguments of functions.',
    )
  }
  return settle(value)
}

const found = (token: Token | undefined): string =>
  token === undefined
    ? 'but the expression ends'
    : `but "${token.kind === 'number' ? token.value : token.text}" stands there`

function leftOver(token: Token): string {
  const where = `expression, position ${token.at}: an operator was expected, ${found(token)}.`
  if (token.kind === 'symbol' && token.text === ',')
    return `${where} Write thousands without a comma: 1000, not 1,000.`
  return `${where} Write 2 * x for a product and mod(17, 5) for a remainder ("%" means percent).`
}

/** Sines of multiples of pi come out as 1.2e-16 and the like: what is nothing beside 1 is nothing. */
const settle = (value: number): number => (Math.abs(value) < 1e-15 ? roundTo(value, 12) : tidy(value))

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) {
    throw new InputError(`expression: ${value}! is not defined here. Send a whole number from 0 to 170.`)
  }
  let result = 1
  for (let factor = 2; factor <= value; factor += 1) result *= factor
  return result
}
