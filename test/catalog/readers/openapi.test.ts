import { describe, expect, test } from 'vitest'
import { pointedAt } from '../../../src/catalog/formats/json-schema.ts'
import { openapi } from '../../../src/catalog/readers/openapi.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const yaml = (text: string, path = '/apis/library.yaml') => documentFromText(path, text, 'library.yaml')
const json = (api: unknown) => documentFromText('/apis/library.json', JSON.stringify(api), 'library.json')
const named = (name: string, { cards } = openapi.read(yaml(library))) => {
  const card = cards.find((candidate) => candidate.name === name)
  if (card?.kind !== 'tool')
    throw new Error(`no tool "${name}" among ${cards.map((each) => each.name).join(', ')}`)
  return card
}

const library = `
openapi: 3.1.0
info: { title: Village library, version: 1.4.0, contact: { name: The librarians } }
servers:
  - url: https://me:pw@{region}.library.test/v2/
    variables: { region: { default: north } }
security: [{ card: [] }]
paths:
  /books/{isbn}:
    summary: One book
    parameters:
      - $ref: '#/components/parameters/isbn'
      - { name: lang, in: query, description: From the path, schema: { type: string } }
    get:
      operationId: getBook
      summary: Look up a book
      description: Gives title, author and shelf.
      tags: [books]
      parameters:
        - { name: lang, in: query, description: From the operation, required: true, schema: { enum: [en, de] } }
        - { name: Authorization, in: header, schema: { type: string } }
        - { name: isbn, in: header, schema: { type: string } }
      responses:
        '404': { content: { application/json: { schema: { type: string } } } }
        '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
    delete:
      deprecated: true
      security: []
      responses: { '204': { description: gone } }
  /books:
    post:
      operationId: addBook
      description: Adds a book.
      requestBody: { $ref: '#/components/requestBodies/NewBook' }
  /lend:
    post:
      operationId: lend
      servers: [{ url: 'https://desk.library.test' }]
      requestBody:
        content:
          text/plain: { schema: { type: string } }
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { isbn: { type: string } }, required: [isbn] }
components:
  parameters:
    isbn: { name: isbn, in: path, required: true, description: Thirteen digits, schema: { $ref: '#/components/schemas/Isbn' } }
  requestBodies:
    NewBook:
      required: true
      description: The book to add
      content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
  schemas:
    Isbn: { type: string, pattern: '^\\d{13}$' }
    Book:
      type: object
      required: [title]
      properties:
        title: { type: string, description: As on the cover }
        isbn: { $ref: '#/components/schemas/Isbn' }
        sequel: { $ref: '#/components/schemas/Book' }
        default: { type: boolean, description: A field that is named like a keyword }
`

describe('an OpenAPI description', () => {
  test('gives one tool per operation and names the source by its title', () => {
    expect(openapi.recognises(yaml(library))).toBe(true)
    const { cards, problems, sourceName } = openapi.read(yaml(library))
    expect(problems).toEqual([])
    expect(sourceName).toBe('Village library')
    expect(cards.map(({ key }) => key)).toEqual(['getBook', 'delete_books_by_isbn', 'addBook', 'lend'])
  })

  test('joins summary and description, and parameters of path and operation', () => {
    expect(named('getBook')).toEqual({
      kind: 'tool',
      key: 'getBook',
      name: 'getBook',
      description: 'Look up a book\n\nGives title, author and shelf.',
      examples: [],
      tags: ['books'],
      publisher: 'The librarians',
      server: 'Village library',
      parameters: [
        { name: 'isbn', description: 'Thirteen digits', type: 'string', required: true },
        { name: 'lang', description: 'From the operation. One of: en, de.', required: true },
        { name: 'header_isbn', description: '', type: 'string', required: false },
      ],
      inputSchema: {
        type: 'object',
        properties: {
          isbn: { $ref: '#/$defs/Isbn', description: 'Thirteen digits', 'x-in': 'path' },
          lang: { enum: ['en', 'de'], description: 'From the operation', 'x-in': 'query' },
          header_isbn: { type: 'string', 'x-in': 'header' },
        },
        required: ['isbn', 'lang'],
        $defs: { Isbn: { type: 'string', pattern: '^\\d{13}$' } },
      },
      outputSchema: expect.objectContaining({ type: 'object', required: ['title'] }),
      annotations: { readOnly: true },
      runtime: { kind: 'http', method: 'GET', url: 'https://north.library.test/v2/books/{isbn}' },
      details: { version: '1.4.0', authentication: 'card' },
    })
  })

  test('keeps circles of types as references that the schema itself resolves', () => {
    const { inputSchema, parameters } = named('addBook')
    expect(inputSchema).toMatchObject({
      required: ['body'],
      properties: { body: { $ref: '#/$defs/Book', description: 'The book to add' } },
      $defs: { Book: { properties: { sequel: { $ref: '#/$defs/Book' }, isbn: { $ref: '#/$defs/Isbn' } } } },
    })
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['body', 'body.title', 'body.isbn', 'body.sequel', 'body.default']),
    )
  })

  test('derives a name, falls back on the texts of the path, marks what is deprecated', () => {
    expect(named('delete_books_by_isbn')).toMatchObject({
      description: 'One book',
      tags: ['deprecated'],
      annotations: { destructive: true },
      runtime: { method: 'DELETE' },
      details: { version: '1.4.0' },
    })
    expect(named('delete_books_by_isbn').details).not.toHaveProperty('authentication')
  })

  test('takes a form before other bodies, and the server of the operation', () => {
    expect(named('lend')).toMatchObject({
      parameters: [
        { name: 'body', required: false },
        { name: 'body.isbn', required: true },
      ],
      runtime: { url: 'https://desk.library.test/lend' },
      details: { bodyType: 'application/x-www-form-urlencoded' },
    })
  })
})

const small = (paths: object, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Small', version: '1' },
  servers: [{ url: 'https://small.test' }],
  paths,
  ...more,
})
const ok = { responses: { 200: { description: 'fine' } } }

test('one bad operation never loses the rest', () => {
  const { cards, problems } = openapi.read(
    json(
      small({ '/a': { get: 7, post: ok }, '/b': null, '/c': { get: ok, parameters: 'none' }, 'x-note': 1 }),
    ),
  )
  expect(cards.map(({ name }) => name)).toEqual(['post_a', 'get_c'])
  expect(problems.map(({ severity, field }) => [severity, field])).toEqual([
    ['error', 'paths./a.get'],
    ['error', 'paths./b'],
  ])
})

test('references to elsewhere are reported and never followed', () => {
  const schema = { $ref: 'types.yaml#/Pet', description: 'A pet' }
  const body = { content: { 'application/json': { schema } } }
  const response = { $ref: 'https://elsewhere.test/responses.json#/ok' }
  const { cards, problems } = openapi.read(
    json(
      small({ '/pets': { post: { operationId: 'add', requestBody: body, responses: { 200: response } } } }),
    ),
  )
  expect(cards).toMatchObject([{ name: 'add', parameters: [{ name: 'body', description: 'A pet' }] }])
  expect(problems).toMatchObject([
    {
      severity: 'warning',
      field: '$ref',
      message: expect.stringMatching(/types\.yaml#\/Pet.*https:\/\/elsewhere\.test/s),
      remedy: expect.stringContaining('bundle'),
    },
  ])
})

test('an operationId that is used twice still gives two tools', () => {
  const { cards, problems } = openapi.read(
    json(small({ '/a': { get: { ...ok, operationId: 'go' } }, '/b': { get: { ...ok, operationId: 'go' } } })),
  )
  expect(cards.map(({ key, name }) => [key, name])).toEqual([
    ['go', 'go'],
    ['get /b', 'go'],
  ])
  expect(problems).toMatchObject([{ severity: 'warning', field: 'paths./b.get.operationId' }])
})

test.each([
  { why: 'servers are missing', servers: undefined, path: '/apis/small.json', url: undefined },
  { why: 'the server is relative', servers: [{ url: '/v1' }], path: '/apis/small.json', url: undefined },
  {
    why: 'a relative server is read from a URL',
    servers: [{ url: '../v1' }],
    path: 'https://api.test/docs/a/openapi.json',
    url: 'https://api.test/docs/v1/a',
  },
  {
    why: 'a variable has no default',
    servers: [{ url: 'https://{host}' }],
    path: '/apis/small.json',
    url: 'https://{host}/a',
  },
])('the address is $url when $why', ({ servers, path, url }) => {
  const text = JSON.stringify({ ...small({ '/a': { get: ok } }), servers })
  const { cards, problems } = openapi.read(documentFromText(path, text))
  expect(cards[0]?.runtime).toEqual(url === undefined ? undefined : { kind: 'http', method: 'GET', url })
  expect(problems.map(({ field }) => field)).toEqual(url === undefined ? ['servers'] : [])
})

test.each([
  {
    what: 'OpenAPI 2',
    api: { swagger: '2.0', paths: { '/a': { get: ok } } },
    field: 'swagger',
    remedy: 'Convert',
  },
  {
    what: 'a file of components',
    api: { openapi: '3.0.0', components: {} },
    field: 'paths',
    remedy: 'paths',
  },
])('$what is refused with the way out', ({ api, field, remedy }) => {
  expect(openapi.recognises(json(api))).toBe(true)
  const { cards, problems } = openapi.read(json(api))
  expect(cards).toEqual([])
  expect(problems).toMatchObject([
    { severity: 'error', file: 'library.json', field, remedy: expect.stringContaining(remedy) },
  ])
})

test('a version that YAML reads as a number is a version', () => {
  const document = yaml('openapi: 3.1\npaths:\n  /a:\n    get: {}\n')
  expect(openapi.recognises(document)).toBe(true)
  expect(openapi.read(document).cards.map(({ name }) => name)).toEqual(['get_a'])
})

test('a large web of types stays bounded in each card, and each reference resolves', () => {
  const fields = (index: number) =>
    Array.from({ length: 20 }, (_, field) => [
      `field${field}`,
      { $ref: `#/components/schemas/T${(index * 7 + field * 13) % 500}` },
    ])
  const types = Array.from({ length: 500 }, (_, index) => [
    `T${index}`,
    { type: 'object', properties: Object.fromEntries(fields(index)) },
  ])
  const schema = { $ref: '#/components/schemas/T0' }
  const operation = { requestBody: { content: { 'application/json': { schema } } } }
  const { cards } = openapi.read(
    json(small({ '/a': { post: operation } }, { components: { schemas: Object.fromEntries(types) } })),
  )
  const text = JSON.stringify(cards[0])
  expect(text.length).toBeLessThan(120_000)
  const { inputSchema } = named('post_a', { cards, servers: [], problems: [] })
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference ?? '')
  expect(references.length).toBeGreaterThan(20)
  for (const reference of references)
    expect(pointedAt(inputSchema, reference)).toMatchObject({ type: 'object' })
})

test.each(['A note on openapi: 3 of them', 'kind: Prompt\nname: x\n', '{"info":{"openapi":"3.0.0"}}'])(
  '%j is no OpenAPI description',
  (text) => expect(openapi.recognises(yaml(text))).toBe(false),
)
