import { describe, expect, test } from 'vitest'
import { childEnvironment } from '../../../src/adapters/processes/expand-variables.ts'
import { expandLaunch } from '../../../src/adapters/mcp-client/expand-environment.ts'
import { HarvestError, type McpServerEntry } from '../../../src/catalog/ports.ts'

const environment = {
  HOME: '/home/me',
  NAME: 'value',
  EMPTY: '',
  TRICKY: `\${NAME}`,
  AUDITION_INPUT_GITHUB_TOKEN: 'given',
}

const entryWith = (text: string): McpServerEntry => ({
  name: 'files',
  config: '/projects/app/.vscode/mcp.json',
  disabled: false,
  launch: { transport: 'stdio', command: 'run', args: [text], env: { KEY: text }, cwd: '/' },
})

const expand = (text: string) => expandLaunch(entryWith(text), environment, '/opt/catalog')

describe('expandLaunch', () => {
  test.each([
    { text: 'plain', expanded: 'plain', why: 'no variable' },
    { text: `\${NAME}`, expanded: 'value', why: 'a variable' },
    { text: `a\${NAME}b\${NAME}c`, expanded: 'avaluebvaluec', why: 'variables amid text' },
    { text: `\${env:NAME}`, expanded: 'value', why: 'a variable as VS Code writes it' },
    { text: `\${UNSET:-other}`, expanded: 'other', why: 'a default' },
    { text: `\${EMPTY:-other}`, expanded: 'other', why: 'a default for an empty variable, as shells do' },
    { text: `\${NAME:-other}`, expanded: 'value', why: 'a default that is not needed' },
    { text: `\${env:UNSET:-other}`, expanded: 'other', why: 'both notations' },
    { text: `\${UNSET:-}`, expanded: '', why: 'an empty default' },
    { text: `\${UNSET:-\${NAME}/x}`, expanded: 'value/x', why: 'a variable as a default' },
    { text: `\${UNSET:-a:-b}`, expanded: 'a:-b', why: 'a default with the same signs in it' },
    { text: `\${EMPTY}`, expanded: '', why: 'a variable that is set to nothing' },
    { text: `\${TRICKY}`, expanded: `\${NAME}`, why: 'a value is not expanded again' },
    { text: `\${AUDITION_CATALOG}/servers`, expanded: '/opt/catalog/servers', why: 'the bundled catalog' },
    { text: `\${workspaceFolder}/x`, expanded: '/projects/app/x', why: 'the folder above .vscode' },
    { text: `\${workspaceFolderBasename}`, expanded: 'app', why: 'its name' },
    { text: `\${userHome}`, expanded: '/home/me', why: 'the home folder' },
    { text: `\${input:github-token}`, expanded: 'given', why: 'an input, from the environment' },
    { text: '$NAME %NAME%', expanded: '$NAME %NAME%', why: 'other notations are no variables here' },
    {
      text: `\${not a name} \${a.b} \${}`,
      expanded: `\${not a name} \${a.b} \${}`,
      why: 'what can be no name',
    },
    { text: `\${NAME`, expanded: `\${NAME`, why: 'an unclosed brace' },
  ])('$text gives $expanded: $why', ({ text, expanded }) => {
    expect(expand(text).launch).toEqual({
      transport: 'stdio',
      command: 'run',
      args: [expanded],
      env: { KEY: expanded },
      cwd: '/',
    })
  })

  test.each([
    { text: `\${UNSET}`, says: 'the environment variable UNSET is not set', remedy: 'Set UNSET ' },
    { text: `\${env:UNSET}`, says: 'the environment variable UNSET is not set', remedy: 'Set UNSET ' },
    {
      text: `\${input:api key}`,
      says: `asks a person for \${input:api key}`,
      remedy: 'Set AUDITION_INPUT_API_KEY ',
    },
    {
      text: `\${command:pick}`,
      says: `\${command:pick} can only be filled in by the host`,
      remedy: 'Write the value',
    },
    { text: `\${UNSET:-\${ALSO_UNSET}}`, says: 'ALSO_UNSET is not set', remedy: 'Set ALSO_UNSET ' },
  ])('$text is refused, naming what to set', ({ text, says, remedy }) => {
    const attempt = () => expand(text)
    expect(attempt).toThrow(HarvestError)
    expect(attempt).toThrow(`MCP server "files": `)
    expect(attempt).toThrow(says)
    expect(attempt).toThrow(expect.objectContaining({ remedy: expect.stringContaining(remedy) }))
  })

  test('values that came from variables are named, to be masked; places are not', () => {
    expect(expand(`\${NAME} \${AUDITION_CATALOG} \${workspaceFolder}`).substituted).toEqual([
      ['NAME', 'value'],
      ['NAME', 'value'],
    ])
  })

  test('fills in addresses and headers', () => {
    const entry: McpServerEntry = {
      ...entryWith(''),
      launch: {
        transport: 'http',
        url: `https://\${NAME}.example`,
        headers: { Authorization: `Bearer \${NAME}` },
      },
    }
    expect(expandLaunch(entry, environment, '/').launch).toEqual({
      transport: 'http',
      url: 'https://value.example',
      headers: { Authorization: 'Bearer value' },
    })
  })

  test('without a working folder, a command runs in the folder its configuration speaks for', () => {
    const entry: McpServerEntry = {
      ...entryWith(''),
      launch: { transport: 'stdio', command: 'run', args: [], env: {} },
    }
    expect(expandLaunch(entry, {}, '/').launch).toMatchObject({ cwd: '/projects/app' })
  })
})

describe('childEnvironment', () => {
  test('has what programs need and the entry’s own, which wins', () => {
    const ours = {
      PATH: '/bin',
      HOME: '/h',
      LC_TIME: 'C',
      OUR_TOKEN: 'x',
      SHELL: '() { :; }',
      LANG: undefined,
    }
    expect(childEnvironment({ HOME: '/other', OWN: '1' }, ours, 'linux')).toEqual({
      PATH: '/bin',
      LC_TIME: 'C',
      HOME: '/other',
      OWN: '1',
    })
  })

  test('knows on Windows that names have no case', () => {
    const ours = {
      Path: 'C:\\bin',
      SystemRoot: 'C:\\Windows',
      USERPROFILE: 'C:\\me',
      HOME: 'no',
      Secret: 'x',
    }
    expect(childEnvironment({ PATH: 'D:\\bin' }, ours, 'win32')).toEqual({
      SystemRoot: 'C:\\Windows',
      USERPROFILE: 'C:\\me',
      PATH: 'D:\\bin',
    })
  })
})
