/** A value as the report packs it: JSON, raw deflate, base64. */
export async function unpacked<Value>(letters: string): Promise<Value> {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(stream).json()) as Value
}
