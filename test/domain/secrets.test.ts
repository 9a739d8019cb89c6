import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSecretName, maskSecrets, maskTokens, maskValues } from '../../src/domain/text/secrets.ts'

// Made up, and put together here so that no scanner of repositories takes them for real ones.
const made = (prefix: string, length = 36) => prefix + 'a1B2c3D4e5F6g7H8i9J0'.repeat(4).slice(0, length)

describe('maskSecrets', () => {
  test.each([
    { why: 'a GitHub token', text: `login with ${made('ghp_')} failed`, masked: 'login with *** failed' },
    { why: 'a fine-grained GitHub token', text: made('github_pat_'), masked: '***' },
    { why: 'an OpenAI key', text: `Incorrect key: ${made('sk-proj-')}.`, masked: 'Incorrect key: ***.' },
    { why: 'a Stripe key', text: made('sk_live_', 24), masked: '***' },
    { why: 'a Slack token', text: made('xoxb-', 40), masked: '***' },
    { why: 'an AWS key id', text: `user ${'AKIA'}ABCDEFGHIJKLMNOP denied`, masked: 'user *** denied' },
    { why: 'a Google key', text: made('AIza', 35), masked: '***' },
    {
      why: 'a JSON Web Token',
      text: `got ${made('eyJ', 20)}.${made('eyJ', 30)}.${made('', 20)}!`,
      masked: 'got ***!',
    },
    {
      why: 'a private key',
      text: '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nend',
      masked: '***\nend',
    },
    {
      why: 'user and password of an address',
      text: 'postgres://bob:pw@db:5432/x is down',
      masked: 'postgres://***@db:5432/x is down',
    },
    { why: 'a token as the user of an address', text: 'https://tok123@host/', masked: 'https://***@host/' },
    {
      why: 'a secret query parameter',
      text: 'GET http://h/x?page=2&api_key=abc&q=1',
      masked: 'GET http://h/x?page=2&api_key=***&q=1',
    },
    {
      why: 'a key in the path of an address',
      text: `https://mcp.host/s/${made('', 24)}/mcp`,
      masked: 'https://mcp.host/s/***/mcp',
    },
    {
      why: 'a UUID in the path of an address',
      text: 'https://h/3f0e2b9c-1d2a-4c5b-8e7f-0a1b2c3d4e5f/mcp',
      masked: 'https://h/***/mcp',
    },
    {
      why: 'a flag with its value',
      text: 'run --api-key hush --port 80',
      masked: 'run --api-key *** --port 80',
    },
    { why: 'a flag joined with its value', text: 'run --token=hush now', masked: 'run --token=*** now' },
    { why: 'a variable', text: 'DB_PASSWORD=hush2 DEBUG=1', masked: 'DB_PASSWORD=*** DEBUG=1' },
    {
      why: 'a field of JSON',
      text: '{"accessToken": "hush", "id": 1}',
      masked: '{"accessToken": "***", "id": 1}',
    },
    {
      why: 'a header of authorisation',
      text: 'Authorization: Bearer abc123def',
      masked: 'Authorization: Bearer ***',
    },
    {
      why: 'a header with a plain word',
      text: 'authorization: bearer letmein',
      masked: 'authorization: bearer ***',
    },
    { why: 'basic authorisation', text: 'sent "Basic dXNlcjpwdw=="', masked: 'sent "Basic ***"' },
  ])('hides $why', ({ text, masked }) => {
    expect(maskSecrets(text)).toBe(masked)
  })

  test.each([
    { why: 'a reference to a variable', text: `run --token \${TOKEN} --key=\${env:KEY} Bearer \${T}` },
    {
      why: 'prose about tokens',
      text: 'the token has expired: ask for a new one; basic authentication is off',
    },
    { why: 'a count of tokens', text: 'used 1200 tokens of 4000' },
    {
      why: 'words in an address',
      text: 'https://example.com/docs/getting-started-with-model-context-protocol/v2',
    },
    { why: 'a path', text: 'ENOENT: no such file /home/me/project/node_modules/.bin/server' },
    { why: 'a package with its version', text: 'npx -y @scope/server-filesystem@2026.8.31 /tmp' },
    { why: 'a flag without a secret', text: '--port 8080 --no-auth --verbose' },
  ])('leaves $why as it is', ({ text }) => {
    expect(maskSecrets(text)).toBe(text)
  })

  test('hides known values however they are written', () => {
    const value = 'p@ss "word" ü/1'
    const forms = [value, encodeURIComponent(value), JSON.stringify(value), `Bearer ${value}`]
    for (const form of forms) expect(maskSecrets(`x ${form} y`, [value])).not.toMatch(/p@ss|p%40ss/)
  })

  test('hides what a header holds besides its scheme', () => {
    expect(maskSecrets('token was abcdefgh', ['Bearer abcdefgh'])).toBe('token was ***')
    const basic = `Basic ${Buffer.from('me:open-sesame').toString('base64')}`
    expect(maskSecrets('wrong: open-sesame', [basic])).toBe('wrong: ***')
  })

  test('hides each line of a known value', () => {
    expect(maskSecrets('> second line\n', ['first line\nsecond line'])).toBe('> ***\n')
  })

  test('a known value of four and more characters never comes through, wherever it stands', () => {
    const values = fc
      .string({ minLength: 4, maxLength: 40 })
      .filter((value) => value.trim().length >= 4 && !value.includes('*') && !/[$][{]/.test(value))
    fc.assert(
      fc.property(fc.string(), values, fc.string(), (before, value, after) => {
        expect(maskSecrets(before + value + after, [value])).not.toContain(value)
      }),
    )
  })

  test('masking a masked text changes nothing', () => {
    const parts = fc.constantFrom(
      '--token ',
      'abc123def',
      'KEY=',
      '"secret": "x"',
      'https://u:p@h/',
      '?sig=q',
      ' ',
      'Bearer ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(parts), (words) => {
        const once = maskSecrets(words.join(''))
        expect(maskSecrets(once)).toBe(once)
      }),
    )
  })

  test('a hostile text of 64,000 characters costs no more than a blink of work', () => {
    // Nested quantifiers would take minutes here, and the runner would stop the test.
    for (const part of [
      'a-',
      'sk-',
      'eyJ.',
      '://',
      '--a ',
      'token=',
      '"',
      '-----BEGIN PRIVATE KEY-----',
      '?a=',
      'x_',
    ])
      expect(maskSecrets(part.repeat(64_000 / part.length))).toBeTypeOf('string')
  })
})

test('maskValues changes nothing but the values', () => {
  const token = made('ghp_')
  expect(maskValues(`an example: ${token}, and --token x of-ours`, ['of-ours'])).toBe(
    `an example: ${token}, and --token x ***`,
  )
})

test.each([
  { why: 'web hooks', text: `sign with ${made('whsec_', 32)}.`, masked: 'sign with ***.' },
  { why: 'Telegram', text: `bot 123456789:${made('AA', 33)} ok`, masked: 'bot *** ok' },
  {
    why: 'Azure',
    text: `AccountName=x;AccountKey=${made('', 80)}==;End`,
    masked: 'AccountName=x;AccountKey=***;End',
  },
  { why: 'an address', text: 'postgres://u:p@db:5432/x', masked: 'postgres://u:***@db:5432/x' },
  { why: 'a name without password', text: 'ssh://git@host/x', masked: 'ssh://git@host/x' },
  { why: 'a reference', text: 'postgres://u:$PW@db', masked: 'postgres://u:$PW@db' },
])('of what is kept, the token of $why is masked', ({ text, masked }) => {
  expect(maskTokens(text)).toBe(masked)
  expect(maskTokens(masked)).toBe(masked)
})

describe('isSecretName', () => {
  test.each([
    'GITHUB_TOKEN',
    'X-Api-Key',
    '--password',
    'accessToken',
    'client_secret',
    'apikey',
    'AUTH',
    'Authorization',
    'key',
    'OPENAI_API_KEY',
    'DB_PASSWD',
    'SENTRY_DSN',
    'GH_PAT',
    'AWS_SECRET_ACCESS_KEY',
    'SECRET_KEY',
    'Cookie',
    'LICENSE_KEY',
    'authToken',
    'TOKEN2',
    'tokens',
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true)
  })
  test.each([
    'PATH',
    'keyboard',
    'monkey',
    'author',
    'PORT',
    'tokenizer',
    'passenger',
    'compat',
    'path',
    'signal',
    'keys_only',
    'max-depth',
  ])('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})
