import type { CardText } from '../card-texts.ts'
import { excerptAround, excerptOfStart } from '../excerpt.ts'
import type { Hit } from '../rule.ts'
import { isQuoted } from '../text/quotations.ts'

/** Stretches that a page or a rendered document does not show, and that a model reads all the same. */
const unseen: readonly { readonly what: string; readonly hint: string; readonly pattern: RegExp }[] = [
  { what: 'an HTML comment', hint: '<!--', pattern: /<!--((?:(?!-->)[\s\S]){1,4000})/g },
  {
    what: 'a Markdown comment',
    hint: '[',
    pattern:
      /^[ \t]{0,3}\[(?:\/\/|comment|_|#|hidden|note)\]:[ \t]{0,4}(?:#|<>)?[ \t]{0,4}["'(]([^\n]{1,2000})/gim,
  },
  {
    what: 'markup that is styled away',
    hint: 'style',
    pattern:
      /<[a-z]{1,12}\s[^>]{0,200}style\s{0,2}=\s{0,2}["'][^"'>]{0,200}(?:display\s{0,2}:\s{0,2}none|visibility\s{0,2}:\s{0,2}hidden|font-size\s{0,2}:\s{0,2}0|opacity\s{0,2}:\s{0,2}0(?![.\d]*[1-9])|color\s{0,2}:\s{0,2}(?:white|#fff(?:fff)?|transparent)|text-indent\s{0,2}:\s{0,2}-\d{3}|(?:left|top)\s{0,2}:\s{0,2}-\d{3}|(?:width|height|max-height)\s{0,2}:\s{0,2}[01](?:px)?\b)[^>]{0,200}>([^<]{1,2000})/gi,
  },
  {
    what: 'a hidden element',
    hint: '<',
    pattern:
      /<[a-z]{1,12}\s(?:[^>]{0,200}\s)?(?:hidden|aria-hidden\s{0,2}=\s{0,2}["']true["'])[^>]{0,100}>([^<]{1,2000})/gi,
  },
  {
    what: 'a template, a script or metadata',
    hint: '<',
    // A tag that prose speaks of hides nothing beyond its paragraph.
    pattern:
      /<(?:template|noscript|script|meta|title|desc|metadata|object|annotation)\b[^>]{0,300}>((?:(?!\n[ \t]{0,8}\n)[^<]){1,2000})/gi,
  },
  {
    what: 'an attribute that does not show',
    hint: '<',
    pattern:
      /<[a-z]{1,12}\s[^>]{0,200}(?:alt|title|content|data-[\w-]{1,30}|aria-label)\s{0,2}=\s{0,2}["']([^"'>]{8,1000})/gi,
  },
  { what: 'the alternative text of a picture', hint: '![', pattern: /!\[([^\]\n]{12,1000})\]\(/g },
]

/** Stretches of hidden text, to be looked through as if they were said aloud. */
export const unseenStretches = (text: string): readonly { readonly what: string; readonly text: string }[] =>
  unseen.flatMap(({ what, hint, pattern }) =>
    text.includes(hint)
      ? [...text.matchAll(pattern)].slice(0, 100).map(({ 1: inner = '' }) => ({ what, text: inner }))
      : [],
  )

/** Pictures and links; whether their address would carry something away is asked per match. */
const addresses =
  /(!?)\[[^\]\n]{0,300}\]\(\s{0,3}<?((?:https?:)?\/\/[^)\s]{1,800}(?: [^)\n]{1,200})?)|(<img)\b[^>]{0,200}\bsrc\s{0,2}=\s{0,2}["']?((?:https?:)?\/\/[^"'>\s]{1,800})/gi
const slot =
  /[{<[$%]{1,8}\s{0,2}[\w .'-]{0,40}(?:conversation|history|secret|token|passw|api_?key|system|env|credential|chat|context|user_?data|data|content|message|email|private|memory|answer|result|summary|base64|b64|input|everything|dump)[\w .'-]{0,60}[}>\]%)]*/i
const query = /[?&/][^?&/]{0,60}$/

/** Pictures and links whose address has a slot for data: to load them is to send it. */
export function carriesDataAway({ text, register }: CardText): readonly Hit[] {
  if (!text.includes('//')) return []
  return [...text.matchAll(addresses)].slice(0, 100).flatMap(({ 0: match, index, ...groups }): Hit[] => {
    const isPicture = groups[1] === '!' || groups[3] !== undefined
    const address = groups[2] ?? groups[4] ?? ''
    const at = slot.exec(address)
    if (at === null || !query.test(address.slice(0, at.index))) return []
    if (
      register === 'prompt' &&
      !/conversation|history|secret|token|passw|api_?key|system|credential|private/i.test(at[0])
    )
      return []
    return [
      {
        severity: isPicture && !isQuoted(text, index, index + match.length) ? 'hard' : 'soft',
        excerpt: excerptAround(text, index, index + match.length),
        message: `holds ${isPicture ? 'a picture' : 'a link'} whose address would carry data to ${excerptOfStart(hostOf(address))}`,
      },
    ]
  })
}

const hostOf = (address: string): string => /\/\/([^/?#]{1,80})/.exec(address)?.[1] ?? 'another server'
