/**
 * A text as one word of a shell's line: as it is where that is safe, else quoted for the shell of the platform.
 *
 * @param platform - as `process.platform` names it
 */
export function shellWord(text: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (platform === 'win32') return `"${text.replaceAll('"', '\\"')}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
