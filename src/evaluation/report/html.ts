import { printable } from '../../domain/printable.ts'

/** Markup that may stand in a page as it is. Only {@link html} and {@link verbatim} make it. */
export type Html = { readonly markup: string; readonly brand: 'Html' }

/** What may be put into markup: texts are escaped, markup stays, nothing leaves no trace. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined

const escapes: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it may stand between tags or in a quoted attribute; hidden and control characters are left out. */
const escaped = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => escapes[character] ?? '')

const isMarkup = (value: HtmlValue): value is Html => typeof value === 'object' && 'markup' in value

function markupOf(value: HtmlValue): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return isMarkup(value) ? value.markup : value.map(markupOf).join('')
}

/**
 * Markup from a template: what the template itself says stands as written, every text put into it is escaped.
 * Attributes must be quoted in the template.
 */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = template.reduce((text, part, at) => text + markupOf(values[at - 1]) + part)
  return { markup, brand: 'Html' }
}

/** A script or style of ours, or packed data, as it is. The caller answers for what stands in it. */
export const verbatim = (markup: string): Html => ({ markup, brand: 'Html' })
