import { createHash } from 'node:crypto'
import type { CatalogTool } from '../../../catalog/servers/shared/tool.ts'
import { bundledTools } from './bundled-tools.ts'
import { type Fault, faults, soundAnswering } from './faults.ts'
import { publishers } from './publishers.ts'
import type { Reply } from './reply.ts'
import { slow, sound, type Variant, variantOf } from './variants.ts'

/**
 * Gives each bundled tool one sound variant, and to every other publisher a fault of its own that changes what the tool
 * answers. Which tools a publisher does well is drawn, the same number for each, so that no publisher is better than
 * another; faults that were given least often come first.
 */
export async function assignFaults(): Promise<readonly Variant[]> {
  const names = [...publishers.keys()]
  const drawn = shuffled(
    [...bundledTools.values()].flat().map(({ name }) => name),
    sound,
  )
  const given = new Map(faults.map(({ name }) => [name, 0]))
  const variants: Variant[] = []
  for (const [server, tools] of bundledTools) {
    for (const tool of tools) {
      const fitting = await faultsThatBite(tool)
      const rarest = shuffled(fitting, `fault ${tool.name}`).sort(
        (a, b) => given.get(a.name)! - given.get(b.name)!,
      )
      const chosen = rarest.slice(0, names.length - 1).map(({ name }) => name)
      for (const name of chosen) given.set(name, given.get(name)! + 1)
      const order = shuffled(chosen, `publisher ${tool.name}`)
      order.splice(drawn.indexOf(tool.name) % names.length, 0, sound)
      for (const [at, publisher] of names.entries()) {
        variants.push(variantOf({ server, tool: tool.name, publisher, fault: order[at]! }))
      }
    }
  }
  return variants
}

/**
 * Faults that change both the value and the sentence of a tool's example answer; those that show only over several
 * calls, or in time, fit every tool.
 */
export async function faultsThatBite(tool: CatalogTool): Promise<readonly Fault[]> {
  const right = await soundAnswering(tool)(tool.example)
  const biting: Fault[] = []
  for (const fault of faults) {
    const showsLater = ['stale', 'constant', 'errors', slow].includes(fault.name)
    const answer = fault.wrap(tool, { publisher: '', wait: async () => {} })
    if (showsLater || differs(await answer(tool.example), right)) biting.push(fault)
  }
  return biting
}

const differs = (one: Reply, other: Reply): boolean =>
  one.text !== other.text && JSON.stringify(one.structured) !== JSON.stringify(other.structured)

/** An order that the seed and the items decide. */
function shuffled<T extends string | { readonly name: string }>(items: readonly T[], seed: string): T[] {
  const keyOf = (item: T) =>
    createHash('sha256')
      .update(`${seed} ${typeof item === 'string' ? item : item.name}`)
      .digest('hex')
  return [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The host configuration that names the servers of all publishers. */
export const serversConfig = (): string => {
  const program = ['$', '{AUDITION_CATALOG}/../bench/bench/probe-lift/variants/server.js'].join('')
  const entries = [...publishers.keys()].flatMap((publisher) =>
    [...bundledTools.keys()].map(
      (server) =>
        [`${publisher}-${server}`, { command: 'node', args: [program, publisher, server] }] as const,
    ),
  )
  return `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)}\n`
}
