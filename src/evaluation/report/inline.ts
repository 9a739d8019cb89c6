import { createHash } from 'node:crypto'
import { printable } from '../../domain/printable.ts'
import { type Html, html, verbatim } from './html.ts'
import type { PackedColumns } from './pack/columns.ts'

/** As a browser reads it: the hash is taken of that. */
const asRead = (text: string): string => text.replace(/\r\n?/g, '\n')

/** What a script or style must not hold: it would end, or change how it is read. */
const breaksOut = /<\/(?:script|style)|<!--|<script/i

function inlined(text: string): string {
  const found = breaksOut.exec(text)
  if (found !== null) throw new Error(`A script of the report holds "${found[0]}". Write it as two strings.`)
  return asRead(text)
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(inlined(text), 'utf8').digest('base64')}'`

/** Scripts and styles of ours as they stand in the page. */
export const inlineScript = (text: string): Html => html`<script>${verbatim(inlined(text))}</script>`
export const inlineStyle = (text: string): Html => html`<style>${verbatim(inlined(text))}</style>`

/** Data for the page script, which no parser of markup can mistake. */
export function inlineJson(id: string, value: unknown): Html {
  const shown = (_key: string, part: unknown): unknown => (typeof part === 'string' ? printable(part) : part)
  const json = JSON.stringify(value, shown).replace(/</g, '\\u003c')
  return html`<script type="application/json" id="${id}">${verbatim(json)}</script>\n`
}

/** Packed columns: base64 holds no character that means anything to a parser. */
export const inlineColumns = (columns: PackedColumns): readonly Html[] =>
  Object.entries(columns).map(
    ([name, letters]) =>
      html`<script type="text/plain" data-column="${name}">${verbatim(letters)}</script>\n`,
  )

/**
 * What the page may do: run the scripts and styles named here, and nothing else. No network, no frames, no forms, and
 * no markup made of strings (trusted types).
 */
export const contentPolicy = (scripts: readonly string[], styles: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
