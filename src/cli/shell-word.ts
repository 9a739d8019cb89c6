/** A text as one word of a shell's line: as it is where that is safe, else quoted for the shell of the platform. */
export function shellWord(text: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (platform === 'win32') return `"${text.replaceAll('"', '\\"')}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
