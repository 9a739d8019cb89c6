/** A value as the report packs it: JSON, raw deflate, base64. */
export async function unpacked<Value>(letters: string): Promise<Value> {
  const decoded = atob(letters)
  const bytes = new Uint8Array(decoded.length)
  for (let at = 0; at < decoded.length; at++) bytes[at] = decoded.charCodeAt(at)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(stream).json()) as Value
}
