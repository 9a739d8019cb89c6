/**
 * A short quotation of somebody's text for a reason that people read: one line, without control or invisible characters.
 *
 * @param most - characters kept, the sign for what is left out not counted
 */
export function excerpt(text: string, most = 80): string {
  const line = text
    .slice(0, most * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const signs = [...line]
  return signs.length <= most && text.length <= most * 8
    ? `"${line}"`
    : `"${signs.slice(0, most).join('').trimEnd()}…"`
}
