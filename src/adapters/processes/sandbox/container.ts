import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import { contains, isFolder } from '../../../domain/paths.ts'
import { printableLine } from '../../../domain/text/printable.ts'
import { defaultChildLimits } from '../child-limits.ts'
import { findProgram } from '../find-program.ts'
import { type Enclosure, type Sandbox, SandboxError, withLine } from './sandbox.ts'
import { environmentFiles, exposedSecrets, neededPaths, secretPaths, showsTooMuch } from './visible-paths.ts'

/** What runs containers, and which. */
type ContainerOptions = {
  readonly engine: 'docker' | 'podman'
  /** An image that is on this machine; it must have what the programs need. Null: none is configured. */
  readonly image: string | null
  readonly home: string
  /** Absolute files and folders that are shown to nobody. */
  readonly hidden: readonly string[]
  /** Where the engine is looked for. @defaultValue the PATH of this process */
  readonly path?: string
}

const run = promisify(execFile)
const probeTimeoutMs = 10_000
const defaultProcesses = 256

/** Of our environment and not of the program's: they name places of this machine. */
const placesOfHost: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'TERM',
])

/**
 * A container for each run, by docker or podman: the file system of the image to read only, the working folder mounted at its own path,
 * no network unless it is opened, no rights, limits by the engine. Only an image that is there is used; none is fetched.
 */
export function container(options: ContainerOptions): Sandbox {
  const { engine, image, path = process.env.PATH ?? '' } = options
  const program = findProgram(engine, { PATH: path }, '/')
  let works: Promise<SandboxError | null> | undefined
  return {
    name: 'container',
    async fault() {
      works ??= faultOf(program, options)
      const fault = await works
      if (fault !== null) works = undefined
      return fault
    },
    enclose(enclosure) {
      const name = `audition-${randomUUID()}`
      const args = containerArguments(name, enclosure, options)
      return {
        start: withLine(enclosure.launch, { command: program ?? engine, args }),
        async end() {
          await run(program ?? engine, ['rm', '--force', name], { timeout: probeTimeoutMs }).catch(() => {}) // it may be gone
        },
      }
    },
    describe: ({ network, writable }) =>
      [
        `${engine} container of ${image ?? 'no image'}: its own file system, to read only`,
        network ? 'network open' : 'no network',
        `writes only in its working folder${writable.length === 0 ? '' : ` and ${writable.join(', ')}`}`,
      ].join('; '),
  }
}

async function faultOf(program: string | undefined, options: ContainerOptions): Promise<SandboxError | null> {
  const { engine, image } = options
  if (image === null) {
    return new SandboxError(
      'the sandbox "container" has no image',
      'Name one in "sandbox.image" of settings.yaml, for example node:20-slim.',
    )
  }
  const none = 'or set "sandbox.kind" to none in settings.yaml.'
  if (program === undefined)
    return new SandboxError(`the sandbox needs ${engine}, which is not on PATH`, `Install ${engine}, ${none}`)
  try {
    await run(program, ['info'], { timeout: probeTimeoutMs })
  } catch (cause) {
    return new SandboxError(`${engine} does not answer`, `Start ${engine}, ${none}`, { cause })
  }
  try {
    await run(program, ['image', 'inspect', image], { timeout: probeTimeoutMs })
  } catch (cause) {
    if ((cause as { readonly killed?: boolean }).killed === true)
      return new SandboxError(
        `${engine} does not answer within ${probeTimeoutMs / 1000} s`,
        `Try again, ${none}`,
        { cause },
      )
    return new SandboxError(`${engine} has no image ${image}`, `Fetch it: ${engine} pull ${image}`, { cause })
  }
  return await trialFault(program, options)
}

/** By any other status a container was started, and its program ended: one that the image lacks ends with 127, or as its init has it. */
const ofEngine: ReadonlySet<unknown> = new Set([125, 126])

/**
 * A container is started once as programs will be: an engine that answers may still lack what a start needs (an init, rights to set
 * limits, control groups that its runtime knows), and its own words say what.
 */
async function trialFault(program: string, options: ContainerOptions): Promise<SandboxError | null> {
  const { engine } = options
  const name = `audition-${randomUUID()}`
  const launch = { command: 'true', args: [], cwd: options.home, env: {} }
  const opening = { network: false, readable: [], writable: [] }
  const args = containerArguments(name, { launch, opening, limits: defaultChildLimits }, options)
  try {
    await run(program, args, { timeout: 3 * probeTimeoutMs })
    return null
  } catch (cause) {
    const { code, stderr = '' } = cause as { readonly code?: unknown; readonly stderr?: string }
    if (typeof code === 'number' && !ofEngine.has(code)) return null
    await run(program, ['rm', '--force', name], { timeout: probeTimeoutMs }).catch(() => {}) // it may never have been there
    const said = stderr.trim().split('\n').at(-1) ?? ''
    return new SandboxError(
      `${engine} starts no container${said === '' ? '' : `: ${printableLine(said)}`}`,
      `Mend ${engine} until \`${engine} run --rm --init --network none ${options.image} true\` works, or set "sandbox.kind" to none in settings.yaml.`,
      { cause },
    )
  }
}

/** The words after `docker`. Values of variables stand in the environment of the engine's command, never in the line. */
export function containerArguments(
  name: string,
  { launch, opening, limits }: Enclosure,
  { engine, image, home, hidden }: Omit<ContainerOptions, 'path'>,
): readonly string[] {
  const { readable, writable } = opening
  const secrets = [...secretPaths(home), ...hidden]
  const isOwn = !showsTooMuch(launch.cwd, home, secrets)
  const open = [...(isOwn ? [launch.cwd] : []), ...writable.filter((path) => existsSync(path))]
  const shown = [
    ...neededPaths({ ...launch, env: {} }, { home, hidden: ['/'], secrets }).filter(isOfUser),
    ...readable,
  ]
  const mount = (path: string, mode: string): readonly string[] => ['--volume', `${path}:${path}:${mode}`]
  const own = Object.keys(launch.env).filter(
    (variable) => !placesOfHost.has(variable) && !variable.startsWith('LC_'),
  )
  const variables = environmentFiles([...shown, ...open], launch, opening)
  const isMounted = [...shown, ...open].some((folder) => contains({ folder, path: launch.command }))
  return [
    'run',
    '--rm',
    '--interactive',
    '--init',
    '--pull',
    'never',
    '--name',
    name,
    ...confinement(opening, limits),
    ...(engine === 'podman' ? ownProcesses() : []),
    ...shown.filter((path) => !open.includes(path)).flatMap((path) => mount(path, 'ro')),
    ...open.flatMap((path) => mount(path, 'rw')),
    ...exposedSecrets([...secrets, ...variables], [...shown, ...open], ['/']).flatMap((secret) =>
      isFolder(secret) ? ['--tmpfs', emptyOver(secret, engine)] : ['--volume', `/dev/null:${secret}:ro`],
    ),
    '--workdir',
    isOwn ? launch.cwd : '/tmp',
    ...own.flatMap((variable) => ['--env', variable]),
    image ?? '',
    isAbsolute(launch.command) && !isMounted ? basename(launch.command) : launch.command,
    ...launch.args,
  ]
}

/** What a container may reach and use beside files. */
function confinement(
  { network }: Enclosure['opening'],
  { cpuSeconds, memoryBytes, processes, openFiles, fileBytes }: Enclosure['limits'],
): readonly string[] {
  const limit = (flag: string, value: number | null): readonly string[] =>
    value === null ? [] : [flag, String(value)]
  return [
    '--network',
    network ? 'bridge' : 'none',
    '--read-only',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--env',
    'HOME=/tmp',
    '--tmpfs',
    `/tmp:rw,exec,mode=1777${fileBytes === null ? '' : `,size=${fileBytes}`}`,
    ...(process.getuid === undefined ? [] : ['--user', `${process.getuid()}:${process.getgid!()}`]),
    ...limit('--pids-limit', processes ?? defaultProcesses),
    ...limit('--memory', memoryBytes),
    ...limit('--memory-swap', memoryBytes),
    ...(cpuSeconds === null ? [] : ['--ulimit', `cpu=${cpuSeconds}`]),
    ...(openFiles === null ? [] : ['--ulimit', `nofile=${openFiles}:${openFiles}`]),
    ...(fileBytes === null ? [] : ['--ulimit', `fsize=${fileBytes}`]),
  ]
}

/** By itself podman fills a new file system with what it covers, secrets too; docker does not, and does not know the word. */
const emptyOver = (folder: string, engine: ContainerOptions['engine']): string =>
  engine === 'podman' ? `${folder}:notmpcopyup` : folder

/** Processes of one user, all containers together: more than `--pids-limit` lets one have, and less than a user may have anywhere. */
const processesOfUser = 16_384

/**
 * As root, podman asks for more processes of a user than root itself may have where that right was taken away (in virtual machines and
 * containers), and starts nothing.
 */
const ownProcesses = (): readonly string[] => ['--ulimit', `nproc=${processesOfUser}:${processesOfUser}`]

/** The image brings its own system: of ours only what the user put there is shown. */
const isOfUser = (path: string): boolean =>
  !/^\/(?:usr|bin|sbin|lib\w*|etc|var|opt|proc|sys|dev)(?:\/|$)/.test(path)
