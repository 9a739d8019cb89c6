import { applyEdits, findNodeAtLocation, type Node, parseTree, createScanner, type Edit } from 'jsonc-parser'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Editor } from '../block.ts'

/** JSON with comments: comments, order, indentation and all else stay. The text was parsed without errors before. */
export const jsonEditor: Editor = {
  add(text, { key, name, entry, text: whole }) {
    const root = rootOf(text)
    if (root === undefined) return text + (text === '' || text.endsWith('\n') ? '' : '\n') + whole
    const names = [...key, name]
    const depth = deepest(root, key)
    const object = depth === 0 ? root : findNodeAtLocation(root, [...key.slice(0, depth)])!
    const value = names.slice(depth + 1).reduceRight<JsonValue>((inner, outer) => ({ [outer]: inner }), entry)
    return insertProperty(text, object, { key: names[depth]!, value })
  },
  change(text, { key, name }, entry: JsonObject | null) {
    const property = findNodeAtLocation(rootOf(text)!, [...key, name])!.parent!
    return entry === null ? withoutProperty(text, property) : replaceValue(text, property, entry)
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

/** `SyntaxKind` of jsonc-parser, whose constant enumeration does not survive compilation file by file. */
const token = { comma: 5, lineComment: 12, blockComment: 13, trivia: 15 }

/**
 * The text with one more property at the end of an object. All that stood there stays byte for byte, comments,
 * a trailing comma and line ends too; the new lines are indented as their neighbours are.
 *
 * @param object - a node of the text's tree, of type `object`, without the key
 */
function insertProperty(text: string, object: Node, property: Property): string {
  const last = object.children?.at(-1)
  const edits =
    last === undefined ? intoEmpty(text, object, property) : after(text, { object, last }, property)
  return applyEdits(text, edits)
}

/** The text with another value of a property, written in the manner of its surroundings. */
function replaceValue(text: string, property: Node, value: JsonValue): string {
  const old = property.children?.[1]
  if (old === undefined) throw new TypeError('a property without value is no valid JSON')
  const style = styleOf(text)
  const isOneLine = !text.slice(old.offset, old.offset + old.length).includes('\n') && !text.includes('\n')
  const content = isOneLine ? JSON.stringify(value) : pretty(value, lineIndent(text, property.offset), style)
  return applyEdits(text, [{ offset: old.offset, length: old.length, content }])
}

/** The text without a property, its line and its comma. Comments before and behind it stay. */
function withoutProperty(text: string, property: Node): string {
  const object = property.parent!
  const siblings = object.children!
  const [start, end] = [property.offset, property.offset + property.length]
  const before = siblings[siblings.indexOf(property) - 1]
  const stop = object.offset + object.length - 1
  const own = restOfLine(text, end, siblings[siblings.indexOf(property) + 1]?.offset ?? stop).comma
  const behind = own ?? (before && restOfLine(text, before.offset + before.length, start).comma)
  const blank = blankBefore(text, start)
  const edits: Edit[] = [{ offset: start - blank, length: end - start + blank, content: '' }]
  if (behind !== undefined) edits.push({ offset: behind, length: 1, content: '' })
  const rest = applyEdits(text, edits)
  const inside = text.slice(object.offset + 1, start - blank) + text.slice(end, stop)
  return siblings.length === 1 && inside.trim() === ''
    ? text.slice(0, object.offset + 1) + text.slice(stop)
    : rest
}

type Property = { readonly key: string; readonly value: JsonValue }

type Style = { readonly indent: string; readonly lineEnd: string }

function intoEmpty(text: string, object: Node, { key, value }: Property): Edit[] {
  const style = styleOf(text)
  const outer = lineIndent(text, object.offset)
  const inner = outer + style.indent
  const inside = text.slice(object.offset + 1, object.offset + object.length - 1)
  const property = `${style.lineEnd}${inner}${JSON.stringify(key)}: ${pretty(value, inner, style)}`
  const closing = inside.includes('\n') ? '' : style.lineEnd + outer
  return [{ offset: object.offset + 1, length: 0, content: property + closing }]
}

function after(
  text: string,
  { object, last }: { readonly object: Node; readonly last: Node },
  { key, value }: Property,
): Edit[] {
  const style = styleOf(text)
  const end = last.offset + last.length
  const { comma, lineEnd } = restOfLine(text, end, object.offset + object.length - 1)
  const hasOwnLine = text.slice(0, last.offset).split('\n').at(-1)?.trim() === ''
  const indent = lineIndent(text, last.offset)
  const content = hasOwnLine
    ? `${style.lineEnd}${indent}${JSON.stringify(key)}: ${pretty(value, indent, style)}`
    : ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`
  if (comma !== undefined)
    return [{ offset: Math.max(lineEnd, comma + 1), length: 0, content: `${content},` }]
  return lineEnd === end
    ? [{ offset: end, length: 0, content: `,${content}` }]
    : [
        { offset: end, length: 0, content: ',' },
        { offset: lineEnd, length: 0, content },
      ]
}

/**
 * What follows a property up to the end of its line: where a comma stands (on whichever line), and where the last
 * comment on the line ends, behind which a new line may begin.
 */
function restOfLine(text: string, from: number, to: number): { comma: number | undefined; lineEnd: number } {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let comma: number | undefined
  let lineEnd = from
  let isSameLine = true
  while (scanner.getPosition() < to) {
    const kind: number = scanner.scan()
    const start = scanner.getTokenOffset()
    if (start >= to) break
    if (kind === token.comma) {
      comma = start
      if (isSameLine) lineEnd = start + 1
    } else if (kind === token.lineComment || kind === token.blockComment) {
      if (isSameLine) lineEnd = start + scanner.getTokenLength()
    } else if (kind !== token.trivia) {
      isSameLine = false
    }
  }
  return { comma, lineEnd }
}

function pretty(value: JsonValue, indent: string, style: Style): string {
  return JSON.stringify(value, null, style.indent).replaceAll('\n', style.lineEnd + indent)
}

/** White space at the start of the line. */
function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))![0]
}

/** As the text does it: its first indented line, its first line end; two spaces and LF where there is none. */
function styleOf(text: string): Style {
  const indent = /\n([ \t]+)["\]}/]/.exec(text)?.[1] ?? '  '
  return { indent: indent.startsWith('\t') ? '\t' : indent, lineEnd: /\r\n/.test(text) ? '\r\n' : '\n' }
}

/** Letters of the indentation that ends there, with the break of the line before it. */
function blankBefore(text: string, end: number): number {
  let at = end
  while (text[at - 1] === ' ' || text[at - 1] === '\t') at--
  if (text[at - 1] === '\n') at -= text[at - 2] === '\r' ? 2 : 1
  return end - at
}
