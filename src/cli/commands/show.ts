import { knownCard } from '../ask/known.ts'
import { defineCommand, flag } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { modelKey } from '../../domain/model-card.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { exportedNote, shownRuntime } from '../../compose/runtimes.ts'
import { modelLines } from '../render/model-lines.ts'
import { idleFields, unknownFields, unusableFields } from '../../catalog/formats/policy-fields.ts'
import {
  type AgentCard,
  type Card,
  type Enrichment,
  type Parameter,
  type ToolAnnotations,
  type ToolCard,
  writtenBy,
} from '../../domain/card.ts'
import type { CardFlag } from '../../domain/finding.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { Output } from '../terminal.ts'
import { apart, wrapText } from '../render/text.ts'
import { left, tableOf } from '../render/table.ts'

/** `audition show`. */
export const command = defineCommand({
  description:
    'Shows one tool, agent or language model in full. Ids stand in the answers of `audition search` and `audition models`.',
  arguments: [
    { syntax: '<id>', description: 'the id of a tool, agent or model, for example github/create_issue' },
  ],
  options: {
    yaml: flag('--yaml', 'print an agent as a capability profile (YAML)'),
    json: flag('--json', 'print the whole card as JSON'),
  },
  examples: [
    { line: 'audition show github/create_issue', does: 'description, parameters, where it comes from' },
    { line: 'audition show --yaml agents/lease-reviewer > lease.yaml', does: 'a profile to edit and index' },
    { line: 'audition show --json github/create_issue', does: 'with the input schema' },
  ],
  async run({ words, flags }, context) {
    const [id = ''] = words
    if (flags.yaml && flags.json)
      throw new UsageError('--yaml and --json exclude each other. Give one of them.')
    const audition = await context.audition()
    const [found] = await audition.cards([id])
    if (found === undefined && !flags.yaml && (await showedModel(id, flags.json, context)))
      return exitCodes.done
    const card = found ?? (await knownCard(audition, id))
    if (flags.json) context.printJson(card)
    else if (flags.yaml) {
      if (card.kind === 'tool') {
        throw new UsageError(`${id} is a tool; --yaml prints agents. Use --json for its schema.`)
      }
      const { renderProfileYaml } = await import('../../catalog/formats/capability-profile.ts')
      context.print(renderProfileYaml(card, exportedNote(card)).trimEnd())
    } else context.print(...cardLines(card, context.terminal.stdout))
    return exitCodes.done
  },
})

/** Shows the language model of an id, if lists or outcomes know one. */
async function showedModel(id: string, json: boolean, context: Context): Promise<boolean> {
  const all = await (await context.audition()).models({ among: 'all' })
  const alike = all.models.filter((one) => modelKey(one.id) === modelKey(id))
  const model = alike.find((one) => one.id === id) ?? alike[0]
  if (model === undefined) return false
  if (json) context.printJson(model)
  else {
    context.print(...modelLines({ ...all, models: [model] }, all.models.length, context.terminal.stdout))
    for (const [what, words] of Object.entries({ reads: model.input, writes: model.output }))
      if (words !== undefined) context.print(`${what} ${words.map(printableLine).join(', ')}`)
    if (model.licence !== undefined) context.print(`licence ${printableLine(model.licence)}`)
  }
  return true
}

/** How much of a system prompt is shown; `--json` has it all. */
const instructionLines = 12

/** A card in full for people. All its text is stripped of what a terminal would obey. */
function cardLines(card: Card, output: Output): readonly string[] {
  const { paint, columns } = output
  const room = Math.min(columns ?? 100, 100)
  const parts: readonly (readonly string[])[] = [
    [`${paint.cyan(printableLine(card.id))}  ${paint.bold(printableLine(card.title ?? card.name))}`],
    flagLines(card.flags ?? [], output),
    paragraphs(card.description, room),
    facts(card, room, paint.dim),
    card.kind === 'tool' ? parameterLines(card.parameters, output) : agentLines(card, output),
    section(
      'Examples',
      card.examples.map((example) => `- ${printableLine(example)}`),
      paint.bold,
    ),
    card.enrichment === undefined ? [] : enrichmentLines(card.enrichment, room, paint.bold),
  ]
  return apart(parts)
}

const enrichmentLines = (
  enrichment: Enrichment,
  room: number,
  bold: (text: string) => string,
): readonly string[] => {
  const { whenToUse, example, tags } = enrichment
  const lines = [whenToUse, example === '' ? '' : `- ${example}`, tags.join(', ')]
  const shown = lines.flatMap((line) => (line === '' ? [] : wrapText(printableLine(line), room - 2)))
  return section(`When to use (${printableLine(writtenBy(enrichment))})`, shown, bold)
}

/** What the scan found: read before the text itself. */
const flagLines = (flags: readonly CardFlag[], { paint }: Output): readonly string[] =>
  flags.length === 0
    ? []
    : [
        paint.yellow('Flagged by the scan at import:'),
        ...flags.map(
          ({ rule, field, message, excerpt }) =>
            `  ${rule}  ${printableLine(field)}: ${printableLine(message)}${excerpt === '' ? '' : paint.dim(` "${printableLine(excerpt)}"`)}`,
        ),
      ]

function paragraphs(text: string, room: number): readonly string[] {
  const tidy = printable(text)
    .trim()
    .replace(/\n\s*\n/gu, '\n\n')
  return tidy === ''
    ? []
    : tidy.split('\n').flatMap((line) => (line.trim() === '' ? [''] : wrapText(line, room)))
}

/** The short facts, one a line, values aligned. */
function facts(card: Card, room: number, dim: (text: string) => string): readonly string[] {
  const { tags, publisher, provenance, runtime } = card
  const own = card.kind === 'tool' ? toolFacts(card) : agentFacts(card)
  const all: readonly (readonly [string, string])[] = [
    ['kind', card.kind === 'tool' ? 'tool' : `agent (${card.agentKind})`],
    ...own,
    ['publisher', publisher ?? ''],
    ['tags', tags.join(', ')],
    ['runs as', (runtime && shownRuntime(card)?.text(runtime)) ?? ''],
    ['read by', `${provenance.reader} from ${provenance.location}`],
    ...Object.entries(provenance.details ?? {}),
  ]
  const shown = all
    .map(([name, value]) => [printableLine(name), printableLine(value)] as const)
    .filter(([, value]) => value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.flatMap(([name, value]) =>
    wrapText(value, Math.max(20, room - width - 2)).map((line, index) =>
      index === 0 ? `${dim(name.padEnd(width))}  ${line}` : `${' '.repeat(width)}  ${line}`,
    ),
  )
}

const toolFacts = ({ server, annotations }: ToolCard): readonly (readonly [string, string])[] => [
  ['server', server ?? ''],
  ['declares', annotations === undefined ? '' : annotationText(annotations)],
]

const agentFacts = ({ backbone }: AgentCard): readonly (readonly [string, string])[] => [
  ['backbone', backbone === null ? '' : [backbone.name, backbone.id ?? ''].filter(Boolean).join(', ')],
]

/** What a tool declares of itself, both ways where it matters. */
const annotationText = ({ readOnly, destructive, idempotent, openWorld }: ToolAnnotations): string =>
  [
    readOnly === undefined ? '' : readOnly ? 'read-only' : 'changes things',
    destructive === undefined || readOnly === true ? '' : destructive ? 'destructive' : 'not destructive',
    idempotent === true ? 'idempotent' : '',
    openWorld === undefined ? '' : openWorld ? 'reaches outside systems' : 'closed world',
  ]
    .filter((word) => word !== '')
    .join(', ')

function parameterLines(parameters: readonly Parameter[], output: Output): readonly string[] {
  return tableOf(parameters, output, [
    left('parameter', ({ name }) => name),
    left('type', ({ type }) => type ?? '', { least: 8 }),
    left('required', ({ required }) => (required ? 'yes' : '')),
    left('description', ({ description }) => description, { least: 16, overflow: 'wrap' }),
  ])
}

function agentLines(card: AgentCard, output: Output): readonly string[] {
  const { bold, dim } = output.paint
  const servers = Object.keys(card.servers ?? {}).map(printableLine)
  const instructions = paragraphs(card.instructions ?? '', (output.columns ?? 120) - 2)
  const more = instructions.length - instructionLines
  const parts = [
    tableOf(card.tools, output, [
      left('tool', ({ name }) => name),
      left('id', ({ id }) => id ?? '', { least: 8 }),
      left('description', ({ description }) => description ?? '', { least: 16, overflow: 'wrap' }),
    ]),
    servers.length === 0 ? [] : [`${dim('needs MCP servers')}  ${servers.join(', ')}`],
    Object.keys(card.policy).length === 0
      ? []
      : [
          `${dim('policy')}  ${printableLine(JSON.stringify(card.policy))}`,
          ...[...idleFields(card.policy), ...unusableFields(card.policy)].map(
            ({ field, reason }) => `  ${field}: kept, has no effect here: ${reason}`,
          ),
          ...(card.agentKind === 'profile' ? unknownFields(card.policy) : []).map(
            (field) => `  ${printableLine(field)}: kept, has no effect here: no run knows it`,
          ),
        ],
    section(
      'Instructions',
      more > 0
        ? [
            ...instructions.slice(0, instructionLines),
            dim(`… ${countOf(more, 'more line')}; --json has them all`),
          ]
        : instructions,
      bold,
    ),
  ]
  return apart(parts)
}

const section = (
  title: string,
  lines: readonly string[],
  bold: (text: string) => string,
): readonly string[] =>
  lines.length === 0 ? [] : [bold(title), ...lines.map((line) => `  ${line}`.trimEnd())]
