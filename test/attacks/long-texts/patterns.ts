import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { parseAst } from 'vitest/node'

/** A regular expression of ours, and the file that has it. */
export type Pattern = { readonly file: string; readonly regex: RegExp }

const source = resolve(import.meta.dirname, '../../../src')
/** Written in AssemblyScript, which has no regular expressions. */
const ignore = ['**/assembly/**']

const files = (): readonly string[] => globSync('**/*.ts', { cwd: source, ignore }).sort()

/** Every literal of `src`, as the parser sees it. */
export function literalPatterns(): readonly Pattern[] {
  return files().flatMap((file) => {
    const found: Pattern[] = []
    eachNode(parseAst(readFileSync(join(source, file), 'utf8'), { lang: 'ts' }), (node) => {
      if (node.type !== 'Literal' || !isObject(node.regex)) return
      const { pattern, flags } = node.regex
      found.push({ file, regex: new RegExp(String(pattern), String(flags)) })
    })
    return found
  })
}

/** Every expression that a module of `src` builds while it is loaded. */
export async function builtPatterns(): Promise<readonly Pattern[]> {
  const found: Pattern[] = []
  for (const file of files()) {
    if (!readFileSync(join(source, file), 'utf8').includes('new RegExp(')) continue
    const built = globalThis.RegExp
    globalThis.RegExp = new Proxy(built, {
      construct(target, [pattern, flags]: [string | RegExp, string?]) {
        const regex = new target(pattern, flags)
        found.push({ file, regex })
        return regex
      },
    })
    try {
      await import(`${join(source, file)}?patterns`)
    } finally {
      globalThis.RegExp = built
    }
  }
  return found
}

type Node = { readonly [name: string]: unknown }
const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null

function eachNode(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const inner of node) eachNode(inner, visit)
  else if (isObject(node)) {
    visit(node)
    for (const inner of Object.values(node)) eachNode(inner, visit)
  }
}
