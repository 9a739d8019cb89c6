import type { Bounds } from '../../domain/bounds.ts'

/** The body of an answer, as far as the bounds let it come. @throws what ends the bounds */
export async function boundedText(response: Response, { countBytes, signal }: Bounds): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    countBytes(chunk.byteLength)
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
