/**
 * A web origin as browsers write it in `Origin`, or null when the text is none. The slash that ends a copied address is
 * forgiven; an extension's origin, such as `chrome-extension://abc`, is one too.
 */
export function webOrigin(text: string): string | null {
  const bare = text.replace(/\/$/, '')
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/\\?#@%\s]+$/i.test(bare)) return null
  if (!/^https?:/i.test(bare)) return bare.toLowerCase()
  try {
    return new URL(bare).origin
  } catch {
    return null
  }
}
