import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { defaultChildLimits } from '../../../src/adapters/processes/child-limits.ts'
import { bubblewrap } from '../../../src/adapters/processes/sandbox/bubblewrap.ts'
import { container, containerArguments } from '../../../src/adapters/processes/sandbox/container.ts'
import { noSandbox } from '../../../src/adapters/processes/sandbox/sandbox.ts'
import { exposedSecrets, neededPaths } from '../../../src/adapters/processes/sandbox/visible-paths.ts'
import { sandboxContract } from '../../contracts/sandbox.ts'

const nowhere = { home: '/nonexistent', hidden: [] }
/** An image with Node, for machines that have one: the name of it in AUDITION_TEST_IMAGE. */
const image = process.env.AUDITION_TEST_IMAGE ?? 'node:20-slim'

sandboxContract('none', { open: () => noSandbox(), isolates: false, node: process.execPath })

const bubblewrapFault = await bubblewrap(nowhere).fault()
if (bubblewrapFault === null)
  sandboxContract('bubblewrap', {
    open: (places) => bubblewrap(places),
    isolates: true,
    node: process.execPath,
  })
else test.skip(`the sandbox bubblewrap: ${bubblewrapFault.message}`)

for (const engine of ['docker', 'podman'] as const) {
  const fault = await container({ engine, image, ...nowhere }).fault()
  if (fault === null)
    sandboxContract(`container of ${engine}`, {
      open: (places) => container({ engine, image, ...places }),
      isolates: true,
      node: 'node',
    })
  else test.skip(`the sandbox container of ${engine}: ${fault.message}`)
}

describe('a sandbox that cannot be used says so', () => {
  test.each([
    {
      what: 'bubblewrap, not installed',
      sandbox: bubblewrap({ ...nowhere, path: '/nonexistent' }),
      says: 'no bwrap',
    },
    {
      what: 'a container without an image',
      sandbox: container({ engine: 'docker', image: null, ...nowhere }),
      says: 'no image',
    },
    {
      what: 'a container without an engine',
      sandbox: container({ engine: 'podman', image: 'some', path: '/nonexistent', ...nowhere }),
      says: 'podman, which is not on PATH',
    },
  ])('$what', async ({ sandbox, says }) => {
    const fault = await sandbox.fault()
    expect(fault?.message).toContain(says)
    expect(fault?.remedy).toContain('settings.yaml')
  })
})

describe('an engine that answers and starts nothing says why', () => {
  const engineThat = (ends: string): string => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'audition-engine-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'podman'), `#!/bin/sh\n[ "$1" != run ] || { ${ends}; }\n`, { mode: 0o755 })
    return folder
  }
  const faultOf = (ends: string) =>
    container({ engine: 'podman', image: 'some', path: engineThat(ends), ...nowhere }).fault()

  test('in its own words, on one line', async () => {
    const fault = await faultOf('echo more >&2; echo "Error: crun: setrlimit: not permitted" >&2; exit 126')
    expect(fault?.message).toBe('podman starts no container: Error: crun: setrlimit: not permitted')
    expect(fault?.remedy).toContain('podman run --rm --init --network none some true')
  })

  test('unless its container started and only lacks the program that was tried', async () => {
    expect(await faultOf('exit 127')).toBeNull()
    // What the init of podman says of it.
    expect(await faultOf('echo "ERROR (catatonit:6): failed to exec pid1" >&2; exit 1')).toBeNull()
    expect(await faultOf('exit 0')).toBeNull()
  })
})

describe('the line of a container', () => {
  const launch = {
    command: '/usr/local/bin/node',
    args: ['server.js', '--key', 'x'],
    cwd: '/srv/agent',
    env: { PATH: '/usr/bin', HOME: '/home/me', API_TOKEN: 's3cret' },
  }
  const line = (network: boolean) =>
    containerArguments(
      'audition-1',
      { launch, opening: { network, readable: ['/srv/books'], writable: [] }, limits: defaultChildLimits },
      { engine: 'docker', image: 'node:20-slim', home: '/home/me', hidden: [] },
    )

  test('names variables and never their values', () => {
    expect(line(false)).toContain('API_TOKEN')
    expect(line(false).join(' ')).not.toContain('s3cret')
    expect(line(false)).not.toContain('PATH')
  })

  test('closes the network, takes all rights, limits, and mounts the folder alone for writing', () => {
    const text = line(false).join(' ')
    expect(text).toMatch(/--network none --read-only --cap-drop ALL --security-opt no-new-privileges/)
    expect(text).toMatch(/--pids-limit 256 --memory 2147483648 --memory-swap 2147483648 --ulimit cpu=300/)
    expect(text).toMatch(
      /--volume \/srv\/books:\/srv\/books:ro --volume \/srv\/agent:\/srv\/agent:rw --workdir \/srv\/agent/,
    )
    expect(text).toMatch(/ node:20-slim node server\.js --key x$/)
    expect(line(true).join(' ')).toContain('--network bridge')
  })

  test('covers a secret folder with an empty one, which podman would fill with what lies below', () => {
    const line = containerArguments(
      'audition-1',
      { launch: { ...launch, cwd: project }, opening: closed, limits: defaultChildLimits },
      { engine: 'podman', image: 'node:20-slim', home: '/home/me', hidden: [join(project, 'store')] },
    )
    expect(line).toContain(`${project}/store:notmpcopyup`)
  })

  test('covers what is secret in a folder that is mounted', () => {
    const hidden = [join(project, 'settings.yaml'), join(project, 'store'), '/nonexistent/settings.yaml']
    const text = containerArguments(
      'audition-1',
      { launch: { ...launch, cwd: project }, opening: closed, limits: defaultChildLimits },
      { engine: 'docker', image: 'node:20-slim', home: '/home/me', hidden },
    ).join(' ')
    expect(text).toContain(
      `--volume ${project}:${project}:rw --volume /dev/null:${project}/settings.yaml:ro --tmpfs ${project}/store --workdir`,
    )
  })
})

const closed = { network: false, readable: [], writable: [] }
const project = realpathSync(mkdtempSync(join(tmpdir(), 'audition-exposed-')))
mkdirSync(join(project, 'store'))
writeFileSync(join(project, 'settings.yaml'), '')
symlinkSync(project, `${project}-link`)
afterAll(() => {
  rmSync(`${project}-link`)
  rmSync(project, { recursive: true })
})

describe('secrets are seen', () => {
  const file = join(project, 'settings.yaml')
  test.each([
    { why: 'in a folder that is shown', shown: [project], empty: ['/'], seen: [file] },
    { why: 'nowhere when all is empty', shown: [], empty: ['/'], seen: [] },
    { why: 'where nothing is empty', shown: [], empty: [], seen: [file] },
    {
      why: 'in a folder that is shown by a link to it',
      shown: [`${project}-link`],
      empty: ['/'],
      seen: [join(`${project}-link`, 'settings.yaml')],
    },
    {
      why: 'when they are named by a link',
      secret: join(`${project}-link`, 'settings.yaml'),
      shown: [project],
      empty: [],
      seen: [file],
    },
    {
      why: 'not when they are not there',
      secret: join(project, 'absent'),
      shown: [project],
      empty: [],
      seen: [],
    },
  ])('$why', ({ secret = file, shown, empty, seen }) => {
    expect(exposedSecrets([secret], shown, empty)).toEqual(seen)
  })
})

describe('a link shows what it leads to', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'audition-links-')))
  afterAll(() => rmSync(root, { recursive: true }))
  const home = join(root, 'home', 'me')
  const place = (...names: string[]): string => join(root, ...names)
  for (const folder of [join(home, '.ssh', 'keys'), join(home, 'project'), place('work')])
    mkdirSync(folder, { recursive: true })
  const links = {
    toKeys: [join(home, '.ssh', 'keys'), place('work', 'keys')],
    toHome: [home, place('work', 'home')],
    aboveHome: [join(root, 'home'), place('work', 'above')],
    toProject: [join(home, 'project'), place('work', 'project')],
  } as const
  for (const [target, link] of Object.values(links)) symlinkSync(target, link)
  const secrets = [join(home, '.ssh')]
  const launch = (args: readonly string[], cwd = place('work')) => ({
    command: '/bin/true',
    args,
    cwd,
    env: { PATH: '/usr/bin' },
  })

  test.each([
    { why: 'into a secret: not shown', link: links.toKeys[1], isShown: false },
    { why: 'to the home folder: not shown', link: links.toHome[1], isShown: false },
    { why: 'above the home folder: not shown', link: links.aboveHome[1], isShown: false },
    { why: 'to a project: shown', link: links.toProject[1], isShown: true },
  ])('that a command line names and that leads $why', ({ link, isShown }) => {
    expect(neededPaths(launch([link]), { home, hidden: [root], secrets }).includes(link)).toBe(isShown)
  })

  test.each([
    { why: 'to the home folder', cwd: links.toHome[1], isMounted: false },
    { why: 'above it', cwd: links.aboveHome[1], isMounted: false },
    { why: 'into a secret', cwd: links.toKeys[1], isMounted: false },
    { why: 'to a project', cwd: links.toProject[1], isMounted: true },
  ])('as a working folder $why: mounted $isMounted', ({ cwd, isMounted }) => {
    const line = containerArguments(
      'audition-1',
      { launch: launch([], cwd), opening: closed, limits: defaultChildLimits },
      { engine: 'docker', image: 'node:20-slim', home, hidden: [] },
    )
    expect(line.includes(`${cwd}:${cwd}:rw`)).toBe(isMounted)
  })
})
