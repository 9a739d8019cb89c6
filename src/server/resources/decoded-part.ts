/** A part of a resource's address as text; a stray percent sign is part of the text. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
