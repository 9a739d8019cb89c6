import { createHash } from 'node:crypto'

/** What a script or style must not hold: it would end, or change how it is read. */
const breaksOut = /<\/(?:script|style)|<!--|<script/i

/** A script or style of ours as it may stand in a page, with line ends as a browser reads them: their hash is taken. */
export function inlined(text: string): string {
  const found = breaksOut.exec(text)
  if (found !== null) throw new Error(`A script of the report holds "${found[0]}". Write it as two strings.`)
  return text.replace(/\r\n?/g, '\n')
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(inlined(text), 'utf8').digest('base64')}'`

/**
 * What the page may do: run the script and style given here, and nothing else. No network, no frames, no forms, and no
 * markup made of strings (trusted types).
 */
export const contentPolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
