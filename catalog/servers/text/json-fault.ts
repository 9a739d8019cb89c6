/** Tokens of JSON, each anchored where the last one ended. */
const blank = /[ \t\r\n]*/y
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/**
 * Position of the first character that cannot stand where it does in a text that is not JSON; its length when the text
 * ends too early. Runtimes word their own messages differently, and some leave the position out.
 */
export function faultPosition(source: string): number {
  const open: ('{' | '[')[] = []
  let expects: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' = 'value'
  let at = 0

  const eat = (token: RegExp): boolean => {
    token.lastIndex = at
    const isThere = token.test(source)
    if (isThere) at = token.lastIndex
    return isThere
  }
  const close = () => {
    open.pop()
    at += 1
    expects = 'commaOrEnd'
  }

  for (;;) {
    eat(blank)
    const sign = source[at]
    if (sign === undefined) return at
    if (expects === 'value' || expects === 'valueOrEnd') {
      if (sign === ']' && expects === 'valueOrEnd') close()
      else if (sign === '{' || sign === '[') {
        open.push(sign)
        at += 1
        expects = sign === '{' ? 'keyOrEnd' : 'valueOrEnd'
      } else if (eat(text) || eat(word)) expects = 'commaOrEnd'
      else return at
    } else if (expects === 'key' || expects === 'keyOrEnd') {
      if (sign === '}' && expects === 'keyOrEnd') close()
      else if (eat(text)) expects = 'colon'
      else return at
    } else if (expects === 'colon') {
      if (sign !== ':') return at
      at += 1
      expects = 'value'
    } else if (sign === ',' && open.length > 0) {
      at += 1
      expects = open.at(-1) === '{' ? 'key' : 'value'
    } else if ((sign === '}' && open.at(-1) === '{') || (sign === ']' && open.at(-1) === '[')) close()
    else return at
  }
}
