/**
 * Reads a documentation that was flattened to `label:value, label: value, …`, as ToolBench's descendants publish it.
 *
 * @param labels - in the order in which they stand; a value runs to the next label that is present
 * @returns undefined when the text does not begin with the first label
 */
export function labelledText(
  text: string,
  labels: readonly string[],
): { readonly [label: string]: string } | undefined {
  const [first] = labels
  if (first === undefined || !text.startsWith(`${first}:`)) return undefined
  const found: { readonly label: string; readonly start: number; readonly stop: number }[] = []
  let from = 0
  for (const label of labels) {
    const mark = found.length === 0 ? `${label}:` : `, ${label}:`
    const start = text.indexOf(mark, from)
    if (start === -1) continue
    from = start + mark.length
    found.push({ label, start, stop: from })
  }
  return Object.fromEntries(
    found.map(({ label, stop }, index) => [label, text.slice(stop, found[index + 1]?.start).trim()]),
  )
}
