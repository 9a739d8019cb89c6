import * as z from 'zod'
import type { CatalogTool } from '../../../catalog/servers/shared/tool.ts'
import { bundledTools } from '../../../bench/probe-lift/variants/bundled-tools.ts'
import { type Answering, faults, soundAnswering } from '../../../bench/probe-lift/variants/faults.ts'
import { publishers } from '../../../bench/probe-lift/variants/publishers.ts'
import type { McpHarvester, McpServerEntry } from '../../../src/catalog/ports.ts'
import type { Card } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import type { Variant } from '../../../bench/probe-lift/variants/variants.ts'
import type { Execution, Executor } from '../../../src/probing/ports.ts'

/** The variants' servers without processes: the same tools and faults, called directly. */
export const harvester: McpHarvester = {
  async harvest(entry) {
    const [publisher, server] = partsOf(entry)
    return {
      server: { name: entry.name, version: '1.0.0' },
      tools: bundledTools.get(server)!.map(({ name, title, description, input, output }) => ({
        name,
        title,
        description: publishers.get(publisher)!(description),
        inputSchema: z.toJSONSchema(input, { io: 'input' }) as JsonObject,
        outputSchema: z.toJSONSchema(output) as JsonObject,
        annotations: { readOnlyHint: true },
      })),
    }
  },
}

const partsOf = ({ launch }: McpServerEntry): readonly [string, string] => {
  if (launch.transport !== 'stdio') throw new Error('The servers of the variants are started.')
  const [, publisher = '', server = ''] = launch.args
  return [publisher, server]
}

/** Calls variants; nobody waits for the slow ones. */
export function executorOf(variants: readonly Variant[]): Executor {
  const faultOf = new Map(variants.map(({ id, fault }) => [id, fault]))
  const opened = new Map<string, Answering>()
  const answeringOf = (card: Card): Answering => {
    const known = opened.get(card.id)
    if (known !== undefined) return known
    const publisher = card.source.split('-')[0]!
    const fault = faults.find(({ name }) => name === faultOf.get(card.id))
    const tool = toolNamed(card.name)
    const made = fault?.wrap(tool, { publisher, wait: async () => {} }) ?? soundAnswering(tool)
    opened.set(card.id, made)
    return made
  }
  return {
    name: 'in-process',
    accepts: ({ kind }) => kind === 'tool',
    plan: async (card) => ({ permit: `mcp:${card.id}`, needs: [], display: card.id, host: null }),
    async execute(card, { arguments: given }) {
      const nothing = { transcript: [], seconds: 0.001, outputBytes: 0, tokens: null, cost: null }
      return answeringOf(card)(given).then(
        ({ text, structured }): Execution => ({
          ...nothing,
          ending: 'answered',
          answer: text,
          failure: null,
          ...(structured === undefined ? {} : { structured: structured as JsonObject }),
        }),
        (error: Error): Execution => ({
          ...nothing,
          ending: 'failed',
          answer: '',
          failure: error.message,
        }),
      )
    },
  }
}

export const toolNamed = (name: string): CatalogTool =>
  [...bundledTools.values()].flat().find((tool) => tool.name === name)!
