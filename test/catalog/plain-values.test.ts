import { describe, expect, test } from 'vitest'
import { isPlainValue, serversWithoutSecrets } from '../../src/catalog/server-entries.ts'

describe('values that are copied', () => {
  test.each([
    ['LOG_LEVEL', 'debug'],
    ['NODE_ENV', 'production'],
    ['READ_ONLY', 'true'],
    ['PORT', '8080'],
    ['TOOLSETS', 'repos,issues,pull_requests'],
    ['AWS_REGION', 'eu-west-1'],
    ['LANG', 'en_US'],
    ['DB_FILE', '/home/ann/notes.db'],
    ['ROOT', 'C:\\Users\\Ann\\notes'],
    ['API_URL', 'http://localhost:3000/'],
    ['TIMEOUT', '30s'],
    ['VERSION', '1.2.3'],
    ['EMPTY', ''],
    ['HOSTS', 'one;two;three'],
  ])('are %s=%s', (name, value) => expect(isPlainValue(name, value)).toBe(true))

  test.each([
    ...[
      'PW',
      'PASSWORT',
      'MOT_DE_PASSE',
      'PIN',
      'DB_PASS',
      'CONTRASENA',
      'JWT',
      'SIGNING',
      'ACCESS',
      'LOGIN',
      'LICENSE',
      'SOMETHING',
    ].map((name) => [name, 'geheimXy7pQ2']),
    ['PIN', '4711'],
    ['DB_PASS', 'correct horse'],
    ['RND', '9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
    ['HOOK_URL', 'https://hooks.example/services/T00/B00/XXXX'],
    ['URL', 'https://x.example/?k=1'],
    ['ID', '12345678901234'],
    ['JSON', '{"a":"b"}'],
    ['MIX', 'aB'],
    ['WORD', 'tr0ub4dor'],
  ])('are not %s=%s', (name, value) => {
    expect(isPlainValue(name, value)).toBe(false)
    expect(serversWithoutSecrets({ a: { command: 'a', env: { [name]: value } } })).toEqual({
      a: { command: 'a', env: { [name]: `\${${name}}` } },
    })
  })
})
