import { gradeOf } from '../../domain/outcome.ts'
import type { Retire } from './probe.ts'
import type { CandidateReport, ProbedRun, ProbeReport } from './probe-report.ts'
import { openRace, type Race, type RacedPair, raceRule, intervalOn } from './race.ts'

/** A candidate of an audition, and where it ended. */
export type Auditioned = CandidateReport & {
  /** Mean grade, 1..5, with an interval that holds whenever the audition stops; null without a grade. */
  readonly grade: { readonly mean: number; readonly low: number; readonly high: number } | null
  /** Dollars for each run that worked; null when costs are unknown or nothing worked. */
  readonly costPerSuccess: number | null
  /** `won`: the best, for sure; `beaten`: worse than another one, for sure; `open`: neither; `not-run`. */
  readonly standing: 'won' | 'beaten' | 'open' | 'not-run'
  /** The first against it; null of the first, and where they have no task in common. */
  readonly againstFirst: (CommonTasks & RacedPair) | null
  /** Tools that it has where it is used, and had not here. */
  readonly missing: readonly string[]
}

/** Tasks that two candidates both have a grade on: those where one has the better one, the worse, and the same. */
type CommonTasks = { readonly won: number; readonly lost: number; readonly equal: number }

/** What an audition found. */
export type AuditionReport = Omit<ProbeReport, 'candidates' | 'spared'> & {
  /** Best first. */
  readonly candidates: readonly Auditioned[]
  /** Id of who is sure to be the best, or worse than it by less than the indifference; null when nobody is. */
  readonly winner: string | null
  /** Grades by which a winner may be worse than the best, and the chance that it is worse than that. */
  readonly indifference: number
  readonly risk: number
  /** Runs that were made, and those that were not needed. */
  readonly runs: number
  readonly spared: number
}

/** A race that goes by the runs of a probe, task by task, as soon as all who are not beaten have done it. */
export type FollowedRace = { readonly retire: Retire; standing(): RaceStanding | null }
type RaceStanding = {
  readonly ids: readonly string[]
  readonly race: Race
  /** Also those that ended after the race did. */
  readonly runs: readonly Runs[]
}
type Runs = ReadonlyMap<number, ProbedRun>

/** Follows the race of all who may be run when the first run ends. */
export function followRace(): FollowedRace {
  let standing: RaceStanding | null = null
  let next = 0
  return {
    standing: () => standing,
    retire(runs) {
      if (runs.size < 2 && standing === null) return []
      standing ??= { ids: [...runs.keys()], race: openRace(runs.size), runs: [...runs.values()] }
      const { ids, race } = standing
      const isDone = (id: string, at: number): boolean =>
        race.beaten.has(at) || !runs.has(id) || runs.get(id)!.has(next)
      while (race.winner() === null && ids.some((id) => runs.get(id)?.has(next)) && ids.every(isDone)) {
        race.add(ids.map((id, at) => (race.beaten.has(at) ? null : scoreOf(runs.get(id)?.get(next)))))
        next += 1
      }
      return race.winner() === null ? ids.filter((_, at) => race.beaten.has(at)) : ids
    },
  }
}

/** 0..1; null without a grade. */
function scoreOf(run: ProbedRun | undefined): number | null {
  const grade = run === undefined ? null : gradeOf(run.outcome.verdict)
  return grade === null ? null : (grade - 1) / 4
}

function commonTasks(one: Runs, other: Runs): CommonTasks {
  const counts = { won: 0, lost: 0, equal: 0 }
  for (const [place, run] of one) {
    const [own, rival] = [scoreOf(run), scoreOf(other.get(place))]
    if (own !== null && rival !== null) counts[own > rival ? 'won' : own < rival ? 'lost' : 'equal'] += 1
  }
  return counts
}

/** What a probe found, as an audition. */
export function auditionReport(
  { candidates, spared = 0, ...report }: ProbeReport,
  followed: Pick<FollowedRace, 'standing'>,
): AuditionReport {
  const standing = followed.standing()
  const placeOf = (id: string): number => standing?.ids.indexOf(id) ?? -1
  const winner = standing?.race.winner() ?? null
  const rankOf = (one: CandidateReport): number =>
    placeOf(one.card) === winner && winner !== null ? 0 : standing?.race.beaten.has(placeOf(one.card)) ? 2 : 1
  const ordered = [...candidates].sort(
    (a, b) =>
      Number(a.runs.length === 0) - Number(b.runs.length === 0) ||
      rankOf(a) - rankOf(b) ||
      (b.meanGrade ?? 0) - (a.meanGrade ?? 0) ||
      (a.cost ?? 0) - (b.cost ?? 0),
  )
  const first = placeOf(ordered[0]?.card ?? '')
  return {
    ...report,
    winner: winner === null ? null : standing!.ids[winner]!,
    indifference: 4 * raceRule.indifference,
    risk: raceRule.risk,
    runs: candidates.reduce((sum, { runs }) => sum + runs.length, 0),
    spared,
    candidates: ordered.map((one) => {
      const place = placeOf(one.card)
      const pair =
        standing !== null && first >= 0 && place >= 0 && place !== first
          ? {
              ...commonTasks(standing.runs[first]!, standing.runs[place]!),
              ...standing.race.pair(first, place),
            }
          : null
      return {
        ...one,
        grade: gradeInterval(one),
        costPerSuccess: one.cost === null || one.worked === 0 ? null : one.cost / one.worked,
        standing: one.runs.length === 0 ? 'not-run' : (['won', 'open', 'beaten'] as const)[rankOf(one)]!,
        againstFirst: pair !== null && pair.won + pair.lost + pair.equal > 0 ? pair : null,
        missing: [
          ...new Set(
            one.runs.flatMap(({ missing, withheld }) => [...missing, ...withheld.map(({ tool }) => tool)]),
          ),
        ],
      }
    }),
  }
}

function gradeInterval({ runs }: CandidateReport): Auditioned['grade'] {
  const grades = runs.map(({ outcome }) => gradeOf(outcome.verdict)).filter((grade) => grade !== null)
  return grades.length === 0 ? null : intervalOn([1, 5], grades, raceRule.risk)
}
