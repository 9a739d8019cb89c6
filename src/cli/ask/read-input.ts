/** Reads a stream as UTF-8 up to so many characters; the rest is left unread. */
export async function readInput(stream: NodeJS.ReadableStream, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length >= limit) break
  }
  return text.slice(0, limit)
}
