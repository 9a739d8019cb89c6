import { expect, test } from 'vitest'
import { isOwnEntry } from '../../src/hosts/own-entry.ts'

const entry = (command: string, args: readonly string[], name = 'x') => ({
  name,
  config: '/projects/.mcp.json',
  disabled: false,
  launch: { transport: 'stdio' as const, command, args, env: {} },
})

test.each([
  { why: 'the command', own: entry('audition', ['serve']) },
  { why: 'the command by its path', own: entry('/usr/local/bin/audition', ['serve']) },
  { why: 'the command on Windows', own: entry('C:\\Users\\me\\npm\\audition.cmd', ['serve']) },
  { why: 'npx', own: entry('npx', ['-y', 'audition-mcp', 'serve']) },
  { why: 'npx with a version', own: entry('npx', ['-y', 'audition-mcp@0.1.0']) },
  {
    why: 'npx with the package named apart',
    own: entry('npx', ['--package=audition-mcp', 'audition', 'serve']),
  },
  { why: 'npx by way of cmd', own: entry('cmd', ['/c', 'npx', '-y', 'audition-mcp']) },
  { why: 'bunx', own: entry('bunx', ['audition-mcp']) },
  {
    why: 'the installed main file',
    own: entry('node', ['/lib/node_modules/audition-mcp/dist/cli/main.js', 'serve']),
  },
  {
    why: 'the main file of a checkout, under our name',
    own: entry('node', ['/src/x/dist/cli/main.js', 'serve'], 'audition'),
  },
  {
    why: 'the same as Claude Code names it in our plugin',
    own: entry('node', ['/src/x/dist/cli/main.js', 'serve'], 'plugin_audition_audition'),
  },
])('knows itself by $why', ({ own }) => {
  expect(isOwnEntry(own)).toBe(true)
})

test.each([
  {
    why: 'a server of the bundled catalog',
    other: entry('node', [`\${AUDITION_CATALOG}/servers/text.js`], 'audition-text'),
  },
  {
    why: 'the same in an installed package',
    other: entry('node', ['/x/node_modules/audition-mcp/dist/bundled/servers/text.js']),
  },
  { why: 'another package', other: entry('npx', ['-y', 'server-audition']) },
  { why: 'a folder of our name', other: entry('server-filesystem', ['audition-mcp']) },
  { why: 'another main file', other: entry('node', ['/src/x/dist/cli/main.js'], 'files') },
  {
    why: 'an address',
    other: {
      ...entry('', []),
      name: 'audition',
      launch: { transport: 'http' as const, url: 'http://127.0.0.1/', headers: {} },
    },
  },
])('is not mistaken for $why', ({ other }) => {
  expect(isOwnEntry(other)).toBe(false)
})
