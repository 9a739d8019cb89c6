import { openRace, raceRule } from '../src/probing/run/race.ts'
import { seededRandom, type SeededRandom } from '../src/evaluation/statistics/seeded-random.ts'
import { atLeast, atMost, type Bench, fixed } from './bench.ts'

/** Chances of success of candidates on a task of middling difficulty. */
export const strengthSets: { readonly [name: string]: readonly number[] } = {
  'one of two': [0.85, 0.45],
  'a step apart': [0.7, 0.6],
  'the edge of indifference': [0.7, 0.57],
  'two, nearly a tie': [0.8, 0.78],
  'a clear winner of five': [0.9, 0.5, 0.4, 0.3, 0.2],
  'one of eight': [0.8, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
  'evenly spread': [0.9, 0.75, 0.6, 0.45, 0.3],
  'close together': [0.7, 0.65, 0.6, 0.55, 0.5],
  'all weak': [0.3, 0.1, 0.1, 0.05],
  'a tie of two in front': [0.8, 0.78, 0.4, 0.3],
  'a tie of three': [0.7, 0.7, 0.7],
  'four that nearly never fail': [0.97, 0.97, 0.96, 0.95],
}

const taskCounts = [20, 50, 100, 200] as const

/** How an answer that succeeds or fails is graded: by a known answer, or by a judge of five grades. */
const gradings = ['known answer', 'five grades'] as const

/** Whether auditions that stop early save runs, and how often they then name the wrong one. */
export const earlyStop: Bench = {
  name: 'early-stop',
  question:
    'How many runs do auditions save by stopping when the winner is sure, and how often are they wrong?',
  async run({ quick }) {
    const repeats = quick ? 40 : 400
    const cells = Object.entries(strengthSets).flatMap(([name, strengths]) =>
      taskCounts.map((tasks) => ({
        name,
        tasks,
        ends: gradings.flatMap((grading) =>
          Array.from({ length: repeats }, (_, at) => raced(strengths, { tasks, grading, seed: at + 1 })),
        ),
      })),
    )
    const all = cells.flatMap(({ ends }) => ends)
    const savedIn = taskCounts.map((count) =>
      share(
        cells.filter(({ tasks }) => tasks === count).flatMap(({ ends }) => ends),
        savedOf,
      ),
    )
    const wrongs = cells.map(({ ends }) => share(ends, ({ isWrong }) => Number(isWrong)))
    return {
      tables: [
        {
          title: 'Runs saved, winners declared, and of all auditions those with a wrong winner',
          head: ['strengths', ...taskCounts.map((count) => `${count} tasks: saved, declared, wrong`)],
          rows: Object.keys(strengthSets).map((set) => [
            set,
            ...cells
              .filter(({ name }) => name === set)
              .map(({ ends }) =>
                [savedOf, (one: Raced) => Number(one.winner !== null), (one: Raced) => Number(one.isWrong)]
                  .map((of) => `${fixed(share(ends, of))} %`)
                  .join(', '),
              ),
          ]),
        },
        {
          title: 'Runs saved, mean over the sets',
          head: taskCounts.map((count) => `${count} tasks`),
          rows: [savedIn.map((saved) => `${fixed(saved)} %`)],
        },
      ],
      notes: [
        `A winner is wrong when its true mean grade is more than ${raceRule.indifference * 4} of a grade below that of the best. The risk that was asked for is ${100 * raceRule.risk} %.`,
        `Each set ${repeats} times by known answers (5 or 1) and ${repeats} times by five grades. Tasks differ in difficulty, the same for all candidates.`,
        'An audition that declares nobody has run every task of those that are not beaten, and says that the order is not sure.',
      ],
      floors: [
        atLeast('runs saved, mean over sets and 20 to 200 tasks', 40, share(all, savedOf), ' %'),
        atMost(
          'wrong winners, mean',
          5,
          share(all, ({ isWrong }) => Number(isWrong)),
          ' %',
        ),
        atMost(
          'wrong winners, worst set and number of tasks',
          5,
          quick ? undefined : Math.max(...wrongs),
          ' %',
        ),
      ],
    }
  },
}

type Raced = {
  readonly runs: number
  readonly all: number
  readonly winner: number | null
  readonly isWrong: boolean
}

const savedOf = ({ runs, all }: Raced): number => 1 - runs / all
const share = (ends: readonly Raced[], of: (end: Raced) => number): number =>
  (100 * ends.reduce((sum, end) => sum + of(end), 0)) / ends.length

type Simulation = {
  readonly tasks: number
  readonly grading: (typeof gradings)[number]
  readonly seed: number
}

/** One audition of agents whose strengths are known, task by task until it stops. */
export function raced(strengths: readonly number[], { tasks, grading, seed }: Simulation): Raced {
  const random = seededRandom(seed)
  const race = openRace(strengths.length)
  let runs = 0
  for (let task = 0; task < tasks && race.winner() === null; task += 1) {
    const ease = chance(random) - 0.5
    race.add(
      strengths.map((strength, at) => {
        const score = scoreOf(strength + ease * 2 * strength * (1 - strength), grading, random)
        if (race.beaten.has(at)) return null
        runs += 1
        return score
      }),
    )
  }
  const winner = race.winner()
  const means = strengths.map((strength) => meanScore(strength, grading))
  const isWrong = winner !== null && means[winner]! < Math.max(...means) - raceRule.indifference - 1e-9
  return { runs, all: strengths.length * tasks, winner, isWrong }
}

/** Grades within successes and failures come as often as in AgentSearchBench's released examples: 5 and 4 as 33 to 17, 3, 2 and 1 as 10 to 7 to 33. */
function scoreOf(success: number, grading: Simulation['grading'], random: SeededRandom): number {
  const [isSuccess, at] = [chance(random) < success, chance(random)]
  if (grading === 'known answer') return Number(isSuccess)
  return isSuccess ? (at < 0.66 ? 1 : 0.75) : at < 0.66 ? 0 : at < 0.8 ? 0.25 : 0.5
}

/** Over all tasks: easy and hard ones are as common. */
const meanScore = (strength: number, grading: Simulation['grading']): number =>
  grading === 'known answer'
    ? strength
    : strength * (0.66 + 0.34 * 0.75) + (1 - strength) * (0.14 * 0.25 + 0.2 * 0.5)

const chance = (random: SeededRandom): number => random.uint32() / 2 ** 32
