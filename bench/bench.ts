import type { Workplace } from './workplace.ts'

/** One question that the bench answers. */
export type Bench = {
  /** As the command line names it. */
  readonly name: string
  readonly question: string
  run(workplace: Workplace): Promise<Findings>
}

/** What a bench found out. */
export type Findings = {
  readonly tables: readonly Table[]
  /** What a reader must know to read the tables, one sentence or two each. */
  readonly notes: readonly string[]
  readonly floors: readonly Floor[]
}

/** Figures side by side; numbers come formatted. */
export type Table = {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A promise and what was measured of it. */
export type Floor = {
  readonly what: string
  readonly limit: string
  readonly measured: string
  /** `unmeasured`: the run left it out, for example for want of data. */
  readonly outcome: 'ok' | 'missed' | 'unmeasured'
}

/** A promise that a figure stays at or below a limit. */
export const atMost = (what: string, limit: number, measured: number | undefined, unit = ''): Floor => ({
  what,
  limit: `<= ${limit}${unit}`,
  ...outcome(measured, unit, (value) => value <= limit),
})

/** A promise that a figure reaches a limit. */
export const atLeast = (what: string, limit: number, measured: number | undefined, unit = ''): Floor => ({
  what,
  limit: `>= ${limit}${unit}`,
  ...outcome(measured, unit, (value) => value >= limit),
})

/** A promise that a figure is above that of another system. */
export const above = (
  what: string,
  other: string,
  limit: number | undefined,
  measured: number | undefined,
): Floor =>
  limit === undefined
    ? { what, limit: `> ${other}`, measured: '-', outcome: 'unmeasured' }
    : { what, limit: `> ${other}, ${fixed(limit)}`, ...outcome(measured, '', (value) => value > limit) }

function outcome(
  measured: number | undefined,
  unit: string,
  keeps: (value: number) => boolean,
): Pick<Floor, 'measured' | 'outcome'> {
  if (measured === undefined || Number.isNaN(measured)) return { measured: '-', outcome: 'unmeasured' }
  return { measured: `${fixed(measured)}${unit}`, outcome: keeps(measured) ? 'ok' : 'missed' }
}

/** Three digits that count: 0.12, 1.23, 12.3, 123. */
export const fixed = (value: number): string =>
  Math.abs(value) >= 99.95 || value === 0 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 9.995 ? 2 : 1)
