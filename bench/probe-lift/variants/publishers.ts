/**
 * Who offers the variants. The names say nothing of quality, and each publisher words the same description in its own
 * way, as publishers do.
 */
export const publishers: ReadonlyMap<string, (description: string) => string> = new Map([
  ['cedar', (text: string) => text],
  ['harbor', (text: string) => `Use this tool to ${lowered(text)}`],
  ['lumen', (text: string) => `Lets you ${lowered(text)}`],
  ['meadow', (text: string) => `Made to ${lowered(text)}`],
  ['orbit', (text: string) => `${text} Gives one answer per call.`],
  ['quarry', (text: string) => `This tool can ${lowered(text)}`],
])

const lowered = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)
