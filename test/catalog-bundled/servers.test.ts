import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCatalog, connectTo, type ServerName, serverFiles } from './built-catalog.ts'
import { knownAnswers } from './known-answers.ts'

const serverNames = Object.keys(serverFiles) as ServerName[]
const catalog = buildCatalog()
afterAll(() => catalog.remove())

/** Inputs that cannot be used, and what the error has to tell the caller. */
const refusals: {
  readonly [server in ServerName]: readonly {
    readonly why: string
    readonly tool: string
    readonly input: object
    readonly tells: RegExp
  }[]
} = {
  'audition-arithmetic': [
    {
      why: 'a field is missing',
      tool: 'convert_unit',
      input: { value: 1 },
      tells: /"from".*Send for example \{"value":26\.2/,
    },
    {
      why: 'a field is unknown',
      tool: 'percent_of',
      input: { percent: 1, amount: 2, round: 1 },
      tells: /"round".*Send for example/,
    },
    {
      why: 'no arguments are sent',
      tool: 'factorize',
      input: {},
      tells: /"value".*Send for example \{"value":360\}/,
    },
    {
      why: 'the unit is unknown',
      tool: 'convert_unit',
      input: { value: 1, from: 'parsnip', to: 'km' },
      tells: /unknown unit "parsnip".*list_units/,
    },
    {
      why: 'dimensions differ',
      tool: 'convert_unit',
      input: { value: 1, from: 'kg', to: 'km' },
      tells: /mass.*length.*Send two units of one dimension/,
    },
    {
      why: 'a symbol is ambiguous',
      tool: 'convert_unit',
      input: { value: 1, from: 'CAL', to: 'J' },
      tells: /cal \(energy\), Cal \(energy\).*exact case/,
    },
    {
      why: 'the case of a prefix has no such unit',
      tool: 'convert_unit',
      input: { value: 1, from: 'Mb', to: 'B' },
      tells: /unknown unit "Mb"/,
    },
    {
      why: 'code is sent',
      tool: 'evaluate_expression',
      input: { expression: 'process.exit()' },
      tells: /position 8.*has no meaning/,
    },
    {
      why: 'a name is inherited',
      tool: 'evaluate_expression',
      input: { expression: 'constructor' },
      tells: /"constructor" is unknown.*variables/,
    },
    {
      why: 'a divisor is zero',
      tool: 'evaluate_expression',
      input: { expression: '1 / (2 - 2)' },
      tells: /division by zero/,
    },
    {
      why: 'thousands have commas',
      tool: 'evaluate_expression',
      input: { expression: '1,000 + 1' },
      tells: /without a comma/,
    },
    {
      why: 'a remainder is meant',
      tool: 'evaluate_expression',
      input: { expression: '17 % 5' },
      tells: /mod\(17, 5\)/,
    },
    {
      why: 'the matrix is not square',
      tool: 'matrix_determinant',
      input: { matrix: [[1, 2]] },
      tells: /square matrix/,
    },
    {
      why: 'equations depend on each other',
      tool: 'solve_linear_system',
      input: {
        matrix: [
          [1, 1],
          [2, 2],
        ],
        constants: [1, 2],
      },
      tells: /no single solution/,
    },
  ],
  'audition-calendar': [
    {
      why: 'a date does not exist',
      tool: 'weekday_of',
      input: { date: '2026-02-30' },
      tells: /February 2026 has 28 days/,
    },
    {
      why: 'a date has another form',
      tool: 'weekday_of',
      input: { date: '9 March' },
      tells: /YYYY-MM-DD.*parse_date/,
    },
    { why: 'a date is ambiguous', tool: 'parse_date', input: { text: '03/04/2026' }, tells: /dayFirst/ },
    {
      why: 'the weekday is wrong',
      tool: 'parse_date',
      input: { text: 'Tuesday, 9 March 2026' },
      tells: /is a Monday/,
    },
    { why: 'a date is relative', tool: 'parse_date', input: { text: 'tomorrow' }, tells: /not understood/ },
    {
      why: 'a holiday is malformed',
      tool: 'add_business_days',
      input: { date: '2026-03-09', days: 1, holidays: ['x'] },
      tells: /holidays\.0/,
    },
    {
      why: 'the zone is unknown',
      tool: 'convert_time_zone',
      input: { time: '2026-01-01T00:00', from: 'Berlin', to: ['UTC'] },
      tells: /IANA name/,
    },
    {
      why: 'the time has an offset',
      tool: 'date_to_unix_time',
      input: { time: '2026-01-01T00:00Z' },
      tells: /without an offset/,
    },
    {
      why: 'there is no fifth Monday',
      tool: 'nth_weekday_of_month',
      input: { year: 2026, month: 2, weekday: 'Monday', nth: 5 },
      tells: /only four Mondays/,
    },
    { why: 'there is no week 53', tool: 'dates_of_week', input: { year: 2025, week: 53 }, tells: /52 weeks/ },
    {
      why: 'milliseconds pass for seconds',
      tool: 'unix_time_to_date',
      input: { timestamp: 1_767_225_600_000 },
      tells: /milliseconds/,
    },
  ],
  'audition-text': [
    {
      why: 'a pattern never ends',
      tool: 'find_pattern',
      input: { text: `${'a'.repeat(60)}b`, pattern: '(a+)+$' },
      tells: /nested repeats/,
    },
    {
      why: 'a pattern is broken',
      tool: 'replace_pattern',
      input: { text: 'a', pattern: '(', replacement: '' },
      tells: /no JavaScript regular expression/,
    },
    {
      why: 'a flag is unknown',
      tool: 'find_pattern',
      input: { text: 'a', pattern: 'a', flags: 'gx' },
      tells: /flags i, m, s, u/,
    },
    {
      why: 'a row is short',
      tool: 'csv_to_json',
      input: { csv: 'a,b\n1,2\n3' },
      tells: /line 3: 1 cells where the header has 2/,
    },
    { why: 'a quote is open', tool: 'csv_to_json', input: { csv: 'a\n"x' }, tells: /line 2 is never closed/ },
    {
      why: 'a column is unknown',
      tool: 'filter_csv',
      input: { csv: 'a,b\n1,2', column: 'c', operator: 'isEmpty' },
      tells: /Send one of: a, b/,
    },
    {
      why: 'JSON is broken',
      tool: 'query_json',
      input: { json: "{'a': 1}", pointer: '/a' },
      tells: /line 1, column 2.*double quotes/,
    },
    {
      why: 'the path leads nowhere',
      tool: 'query_json',
      input: { json: '{"a": [1]}', pointer: '/a/1' },
      tells: /Send one of: 0 to 0/,
    },
    { why: 'Base64 is broken', tool: 'decode_base64', input: { encoded: '@@@' }, tells: /no Base64/ },
    {
      why: 'Base64 holds no text',
      tool: 'decode_base64',
      input: { encoded: '/9j/4AAQ' },
      tells: /no UTF-8 text/,
    },
  ],
}

test.each(serverNames)('%s lists tools with everything a model needs', async (name) => {
  await withClient(name, async (client) => {
    const { tools } = await client.listTools()
    expect(client.getInstructions()).toBeTruthy()
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]+$/)
      expect(tool.title?.length).toBeGreaterThan(3)
      expect(tool.description?.length).toBeGreaterThan(40)
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        idempotentHint: true,
        openWorldHint: false,
      })
    }
  })
})

test('together they have at least 30 tools, every name once, every one with a known answer', async () => {
  const names: string[] = []
  for (const name of serverNames) {
    await withClient(name, async (client) => {
      const listed = (await client.listTools()).tools.map((tool) => tool.name)
      expect([...new Set(knownAnswers[name].map(({ tool }) => tool))].sort()).toEqual([...listed].sort())
      names.push(...listed)
    })
  }
  expect(names.length).toBeGreaterThanOrEqual(30)
  expect(new Set(names).size).toBe(names.length)
})

describe.each(serverNames)('%s', (name) => {
  let client: Client
  beforeAll(async () => {
    client = await connectTo(catalog.folder, name)
  })
  afterAll(() => client.close())

  test.each(knownAnswers[name])(
    '$tool answers $input, and the same again',
    async ({ tool, input, answer }) => {
      const first = await client.callTool({ name: tool, arguments: input })
      expect(first.isError ?? false, JSON.stringify(first.content)).toBe(false)
      expect(first.structuredContent).toMatchObject(answer)
      expect(first.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/./) }])
      expect(await client.callTool({ name: tool, arguments: input })).toEqual(first)
    },
  )

  test.each(refusals[name])('$tool says what to send when $why', async ({ tool, input, tells }) => {
    const reply = await client.callTool({ name: tool, arguments: { ...input } })
    expect(reply.isError).toBe(true)
    expect(reply.content).toMatchObject([{ type: 'text', text: expect.stringMatching(tells) }])
    expect(JSON.stringify(reply.content)).toMatch(/Send|Write|Check|Rename|Close|Quote|Escape|Put/)
  })
})

async function withClient(name: ServerName, use: (client: Client) => Promise<void>): Promise<void> {
  const client = await connectTo(catalog.folder, name)
  try {
    await use(client)
  } finally {
    await client.close()
  }
}
