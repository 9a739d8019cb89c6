import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeEdition } from './catalogs.ts'
import { type Fault, type FaultReport, failed, type Place, seen, unclear } from './fault.ts'
import { hasOwnMounts, inOwnMounts, noMounts } from './namespace.ts'
import type { Ended } from './run-program.ts'
import { call, homeIn, indexEdition, notEdition, sourceIn } from './stores.ts'
import { importedOutcome } from './imported-outcome.ts'

/** Kilobytes that are left on the disk: runs fail sooner or later with them. */
const roomLeft = [0, 16, 64, 256]

/**
 * Works on a disk of its own, a tmpfs that only this process sees, and carries its store away at the end. All of a fault happens in one
 * script: the disk is full, the program is called, the disk has room again, the program is called again.
 */
async function onFullDisk(place: Place, roomKilobytes: number, words: string): Promise<FaultReport> {
  if (!hasOwnMounts()) return { kind: 'skipped', why: noMounts }
  await indexEdition(place, 1)
  writeEdition(sourceIn(place), 2)
  const after = join(place.folder, 'after')
  mkdirSync(after)
  const run = `"${process.execPath}" "${place.program}"`
  const script = `
    home="$AUDITION_HOME"; out="${after}"
    cp -a "$home" "${place.folder}/copy"
    mount -t tmpfs -o size=8m tmpfs "$home"
    cp -a "${place.folder}/copy/." "$home"
    dd if=/dev/zero of="$home/filler" bs=1k 2>/dev/null || true
    used=$(stat -c %s "$home/filler"); truncate -s $((used - ${roomKilobytes} * 1024)) "$home/filler"
    ${run} ${words} >"$out/full.out" 2>"$out/full.err" && code=0 || code=$?
    echo $code >"$out/full.code"
    ${run} search "send a parcel" --json >"$out/search.out" 2>"$out/search.err" && code=0 || code=$?
    echo $code >"$out/search.code"
    rm "$home/filler"
    ${run} ${words} >"$out/again.out" 2>"$out/again.err" && code=0 || code=$?
    echo $code >"$out/again.code"
    cp -a "$home" "$out/home"`
  const all = await call(place, [], { before: [...inOwnMounts(script), 'true'] })
  const endOf = (name: string): Ended => ({
    ...all,
    code: Number(readFileSync(join(after, `${name}.code`), 'utf8')),
    stdout: readFileSync(join(after, `${name}.out`), 'utf8'),
    stderr: readFileSync(join(after, `${name}.err`), 'utf8'),
  })
  if (all.code !== 0) return { kind: 'seen', said: '', wrong: [`the script failed: ${all.stderr}`] }
  const full = endOf('full')
  const search = endOf('search')
  const isIndex = words.startsWith('index')
  // With enough room left it need not fail at all; then the new edition is what is found.
  const went = full.code === 0
  const found = isIndex && went ? 'Edition 2.' : 'Edition 1.'
  return seen(full, [
    ...(went && roomKilobytes > 0
      ? []
      : unclear(full, { says: [/cannot be written|no space left|ENOSPC/i, /free space|AUDITION_HOME/] })),
    ...failed('the search on the full disk', search),
    ...(search.stdout.includes(found) ? [] : [`the search on the full disk does not find ${found}`]),
    ...failed('the run after there was room', endOf('again')),
    ...(await notEdition(join(after, 'home'), isIndex ? 2 : 1)),
  ])
}

const outcomesFile = ({ folder }: Place): string => join(folder, 'outcomes.jsonl')

function writeOutcomes(place: Place): void {
  const lines = Array.from({ length: 200 }, (_, at) =>
    importedOutcome({ id: `full-${at}`, card: `crew/clerk-${at % 5}`, task: `Question ${at}` }),
  )
  writeFileSync(outcomesFile(place), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** RLIMIT_FSIZE, which any shell sets: no file may grow beyond a few kilobytes. */
const smallFiles: Fault = {
  group: 'disk full',
  name: 'no file may grow beyond 4 kB (ulimit -f)',
  async run(place) {
    if (process.platform === 'win32') return { kind: 'skipped', why: 'no ulimit here' }
    await indexEdition(place, 1)
    writeEdition(sourceIn(place), 2)
    const limited = await call(place, ['index', sourceIn(place)], {
      before: ['sh', '-c', 'trap \'\' XFSZ; ulimit -f 8; exec "$@"', 'sh'],
    })
    return seen(limited, [
      ...unclear(limited, { says: [/cannot be written/i, /free space/] }),
      ...(await notEdition(homeIn(place), 1)),
      ...failed('the run without the limit', await call(place, ['index', sourceIn(place)])),
      ...(await notEdition(homeIn(place), 2)),
    ])
  },
}

export const fullDisk: readonly Fault[] = [
  ...roomLeft.map(
    (room): Fault => ({
      group: 'disk full',
      name: `index with ${room} kB left (tmpfs)`,
      slow: room !== 16,
      run: (place) => onFullDisk(place, room, `index "${sourceIn(place)}"`),
    }),
  ),
  {
    group: 'disk full',
    name: 'record import with 0 kB left (tmpfs)',
    run: (place) => {
      writeOutcomes(place)
      return onFullDisk(place, 0, `record import "${outcomesFile(place)}"`)
    },
  },
  smallFiles,
]
