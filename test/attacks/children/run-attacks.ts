import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { leftOver } from '../../../bench/misbehaving/left-over.ts'
import { runProgram } from '../../../src/adapters/command/run-program.ts'
import { boundsOf } from '../../../src/domain/bounds.ts'
import { mcpHarvester } from '../../../src/adapters/mcp-client/mcp-harvester.ts'
import { childEnvironment } from '../../../src/adapters/processes/expand-variables.ts'
import type { ChildLimits } from '../../../src/adapters/processes/child-limits.ts'
import { bubblewrap } from '../../../src/adapters/processes/sandbox/bubblewrap.ts'
import { type Sandbox, noSandbox, type Containment } from '../../../src/adapters/processes/sandbox/sandbox.ts'
import { removeScratch, scratchFolder } from '../../../src/adapters/processes/scratch-folder.ts'
import { HarvestError } from '../../../src/catalog/ports.ts'
import { type Attack, attacks, type Observation, serverAttacks } from './attacks.ts'

/** An attack in one sandbox, and what is wrong with what came of it. */
export type AttackOutcome = {
  readonly attack: Attack
  readonly sandbox: Sandbox['name']
  readonly seen: Observation
  readonly faults: readonly string[]
}

/** A hostile server that was harvested. */
export type ServerOutcome = {
  readonly name: string
  readonly said: string
  readonly left: number
  readonly seconds: number
  readonly fault: string | null
}

/** Small enough to be reached at once, and large enough for Node. */
const limits: ChildLimits = {
  cpuSeconds: 3,
  memoryBytes: 450 * 1024 ** 2,
  processes: 24,
  openFiles: 128,
  fileBytes: 8 * 1024 ** 2,
}
const bounds = { seconds: 12, bytes: 512 * 1024 }
const quickToEnd: ReadonlySet<string> = new Set(['ignores signals', 'stops itself'])

/** A home, a store, secrets and bystanders that hostile programs go for. */
type Prey = {
  readonly place: string
  readonly home: string
  readonly store: string
  readonly shared: string
  readonly secrets: readonly string[]
  readonly needle: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly server: Server
  connections: number
}

/** Names by which an observation tells of planted secrets. */
const planted = ['environment', 'key file', 'store'] as const

async function prey(folder: string): Promise<Prey> {
  const place = join(folder, randomUUID())
  const [home, store, shared] = ['home', 'store', 'shared'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [join(home, '.ssh'), join(home, '.aws'), store, shared])
    mkdirSync(path, { recursive: true })
  const needle = `needle${randomUUID().slice(0, 8)}`
  const secrets = [
    join(home, '.ssh', 'id_rsa'),
    join(home, '.aws', 'credentials'),
    join(store, 'settings.yaml'),
  ]
  for (const file of secrets.slice(0, 2)) writeFileSync(file, `${needle}-key-file`)
  writeFileSync(secrets[2]!, `${needle}-store`)
  const server = createServer((socket) => void socket.end('hello'))
  const made: Prey = {
    place,
    home,
    store,
    shared,
    secrets,
    needle,
    server,
    connections: 0,
    environment: {
      PATH: process.env.PATH,
      HOME: home,
      NODE_OPTIONS: '--title=ours',
      LD_PRELOAD: '',
      HTTPS_PROXY: '',
      AWS_SECRET_ACCESS_KEY: `${needle}-environment`,
      AUDITION_LLM_KEY: `${needle}-environment`,
    },
  }
  server.on('connection', () => (made.connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return made
}

/** Where attacks are made: an empty folder, and the folder of the programs, which are no part of what is compiled. */
export type Ground = { readonly folder: string; readonly programs: string }

/** Runs every attack in every sandbox that works here. */
export async function runAttacks(
  { folder, programs }: Ground,
  names: readonly string[] = attacks.map(({ name }) => name),
  log: (message: string) => void = () => {},
): Promise<readonly AttackOutcome[]> {
  const outcomes: AttackOutcome[] = []
  for (const open of [() => noSandbox(), bubblewrapFor]) {
    for (const attack of attacks.filter(({ name }) => names.includes(name))) {
      const hunted = await prey(folder)
      const sandbox = open(hunted)
      if ((await sandbox.fault()) !== null) {
        await close(hunted)
        continue
      }
      outcomes.push(await runAttack(attack, sandbox, hunted, programs))
      await close(hunted)
      log(`${sandbox.name}: ${attack.name}`)
    }
  }
  return outcomes
}

const bubblewrapFor = ({ home, store }: Prey): Sandbox => bubblewrap({ home, hidden: [store] })

async function runAttack(
  attack: Attack,
  sandbox: Sandbox,
  hunted: Prey,
  programs: string,
): Promise<AttackOutcome> {
  const mark = `hostile-${randomUUID()}`
  const { home, store, shared, secrets, needle, environment, place } = hunted
  const socket = join(place, 'agent.sock')
  const socketServer = createServer((one) => void one.end()).listen(socket)
  let reachedSocket = 0
  socketServer.on('connection', () => (reachedSocket += 1))
  const bystander = spawn('sleep', ['60'], {
    stdio: 'ignore',
    env: { ...process.env, TOKEN: `${needle}-environment` },
  })
  const victim = join(shared, 'victim')
  mkdirSync(victim)
  writeFileSync(join(victim, 'file'), 'x')
  const { port } = hunted.server.address() as AddressInfo
  const places = { home, store, shared, secrets, needle, port, socket, victim, bystander: bystander.pid }
  const scratch = await scratchFolder()
  const program = join(programs, 'hostile.mjs')
  const containment: Containment = {
    sandbox,
    limits,
    opening: () => ({ network: false, readable: [], writable: [] }),
  }
  const started = performance.now()
  const seconds = quickToEnd.has(attack.name) ? 1.5 : bounds.seconds
  const ownBounds = boundsOf({ seconds, bytes: bounds.bytes })
  const run = await runProgram(
    {
      command: process.execPath,
      args: [program, attack.name, mark, JSON.stringify(places)],
      env: childEnvironment({}, environment, process.platform),
      cwd: scratch,
    },
    '',
    { bounds: ownBounds, containment, permit: 'command:hostile', scratch },
  )
  ownBounds.release()
  await removeScratch(scratch)
  const took = (performance.now() - started) / 1000
  const left = leftOver(mark)
  for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  const out = run.stdout.toString('utf8')
  const harm = [
    ...(hunted.connections > 0 ? ['network'] : []),
    ...(reachedSocket > 0 ? ['socket'] : []),
    ...(existsSync(join(home, '.bashrc')) ? ['home folder'] : []),
    ...(existsSync(join(store, 'evil')) ? ['store'] : []),
    ...(existsSync(join(shared, 'evil')) ? ['temporary files'] : []),
    ...(existsSync(join(victim, 'file')) ? [] : ['another folder, cleaned up through a link']),
    ...(existsSync(scratch) ? ['scratch folder left'] : []),
    ...(bystander.exitCode !== null || bystander.signalCode !== null ? ['killed another'] : []),
  ]
  bystander.kill('SIGKILL')
  socketServer.close()
  const found = planted.filter((name) => out.includes(`${needle}-${name.replace(' ', '-')}`))
  const stoppedBy = ownBounds.stoppedBy()
  const seen: Observation = {
    end: run.end,
    stoppedBy,
    out,
    left: left.length,
    seconds: took,
    secrets: found,
    harm,
  }
  return { attack, sandbox: sandbox.name, seen, faults: faultsOf(attack, sandbox.name, seen, seconds) }
}

/** What a program got is a fault where something should have kept it from it. */
function faultsOf(
  attack: Attack,
  sandbox: Sandbox['name'],
  seen: Observation,
  seconds: number,
): readonly string[] {
  const fault = attack.fault(seen)
  const mayGet = attack.heldBy === 'sandbox' && sandbox === 'none'
  return [
    ...(fault === null ? [] : [fault]),
    ...(seen.left > 0 ? [`${seen.left} processes left`] : []),
    ...(mayGet ? [] : seen.secrets.map((name) => `it got a secret: ${name}`)),
    ...(mayGet ? [] : seen.harm.map((what) => `it did harm: ${what}`)),
    ...(seen.end.kind === 'not-started' ? ['it was not started'] : []),
    ...(seen.seconds > seconds + 30 ? [`it took ${seen.seconds.toFixed(0)} s`] : []),
  ]
}

/** Harvests every hostile server. */
export async function runServers(
  { folder, programs }: Ground,
  names: readonly string[] = serverAttacks.map(({ name }) => name),
): Promise<readonly ServerOutcome[]> {
  const outcomes: ServerOutcome[] = []
  for (const { name, says } of serverAttacks.filter((one) => names.includes(one.name))) {
    const mark = `hostile-${randomUUID()}`
    const config = join(folder, `${mark}.json`)
    const program = join(programs, 'hostile-server.mjs')
    const launch = {
      transport: 'stdio',
      command: process.execPath,
      args: [program, name, mark],
      env: {},
    } as const
    const started = performance.now()
    const said = await mcpHarvester({
      catalogFolder: folder,
      environment: process.env,
      version: '0.0.0',
      timeoutMs: 4_000,
      limits: { bytes: 4 * 1024 ** 2, pages: 50, tools: 200 },
      containment: {
        sandbox: noSandbox(),
        limits,
        opening: () => ({ network: false, readable: [], writable: [] }),
      },
    })
      .harvest({ name: 'hostile', config, disabled: false, launch }, new AbortController().signal)
      .then(
        () => '',
        (error: unknown) => (error instanceof HarvestError ? error.message : `no HarvestError: ${error}`),
      )
    const left = leftOver(mark)
    for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL')
    const seconds = (performance.now() - started) / 1000
    const fault = !says.test(said)
      ? `it said: ${said || 'nothing'}`
      : left.length > 0
        ? `${left.length} left`
        : null
    outcomes.push({ name, said, left: left.length, seconds, fault })
  }
  return outcomes
}

async function close({ server, place }: Prey): Promise<void> {
  await new Promise((resolve) => server.close(resolve))
  rmSync(place, { recursive: true, force: true })
}

/** Behaviours that a program has: all must be tried. */
export const behavioursOf = (program: string): readonly string[] =>
  [...readFileSync(program, 'utf8').matchAll(/^ {2}'([^']+)': /gm)].map(([, name]) => name!)
