import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { entryName } from '../block.ts'
import type { Editor } from './editor.ts'
import { insertProperty, replaceValue } from './insert-property.ts'

/** JSON with comments: comments, order, indentation and all else stay. The text was parsed without errors before. */
export const jsonEditor: Editor = {
  add(text, { key, entry, text: whole }) {
    const root = rootOf(text)
    if (root === undefined) return text + (text === '' || text.endsWith('\n') ? '' : '\n') + whole
    const names = [...key, entryName]
    const depth = deepest(root, key)
    const object = depth === 0 ? root : findNodeAtLocation(root, [...key.slice(0, depth)])!
    const value = names.slice(depth + 1).reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), entry)
    return insertProperty(text, object, names[depth]!, value)
  },
  change(text, { key }, entry: JsonObject | null) {
    const path = [...key, entryName]
    if (entry === null) return applyEdits(text, modify(text, path, undefined, {}))
    return replaceValue(text, findNodeAtLocation(rootOf(text)!, path)!.parent!, entry)
  },
}

/** The tree of the text; undefined when it holds nothing but white space and comments. */
const rootOf = (text: string): Node | undefined =>
  parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true })

/** How many names of the path are there. */
function deepest(root: Node, key: readonly string[]): number {
  let depth = 0
  while (depth < key.length && findNodeAtLocation(root, [...key.slice(0, depth + 1)]) !== undefined)
    depth += 1
  return depth
}
