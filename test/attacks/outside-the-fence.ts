/**
 * What a request says outside its fences, as a model would see it that obeys all of it and nothing else. The code of the marks is read
 * from the system prompt; a line of data that does not begin as data must counts as outside.
 */
export function outsideTheFence(system: string, user: string): string {
  const code = /<<<BEGIN … ([0-9a-f]{16})>>>/.exec(system)?.[1]
  if (code === undefined) return user
  const outside: string[] = []
  let label: string | null = null
  for (const line of user.split(/\r\n|[\n\r\u2028\u2029\u0085\u000b\u000c]/)) {
    const begin = new RegExp(`^<<<BEGIN ([A-Z ]+) ${code}>>>$`).exec(line)?.[1]
    if (label === null && begin !== undefined) label = begin
    else if (label === null) outside.push(line)
    else if (line === `<<<END ${label} ${code}>>>`) label = null
    else if (!line.startsWith('| ')) outside.push(line)
  }
  return label === null ? outside.join('\n') : user
}
