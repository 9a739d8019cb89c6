import { command } from '../../src/cli/commands/serving/serve.ts'

/** Reads arguments of a container as `audition serve` reads them. @returns the ports. @throws Error for a flag that there is not */
export async function servesBy(
  args: readonly string[],
): Promise<{ readonly http: number; readonly metrics: number }> {
  const [name, ...rest] = args
  if (name !== 'serve') throw new Error(`not a server: ${args.join(' ')}`)
  const known = new Map(Object.values(command.options).map(({ flags }) => [flags.split(' ')[0]!, flags]))
  const given = new Map<string, string>()
  for (let at = 0; at < rest.length; at += 1) {
    const flag = rest[at]!
    const written = known.get(flag)
    if (written === undefined) throw new Error(`audition serve has no ${flag}`)
    const takesValue =
      written.includes('<') || (written.includes('[') && !(rest[at + 1] ?? '--').startsWith('--'))
    given.set(flag, takesValue ? rest[++at]! : '')
  }
  return { http: Number(given.get('--http')), metrics: Number(given.get('--metrics')?.split(':')[1]) }
}
