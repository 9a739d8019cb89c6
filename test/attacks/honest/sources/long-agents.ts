import { honestAgent, type HonestCase, type HonestSource } from '../honest-source.ts'

type Agent = {
  readonly name: string
  readonly description: string
  /** What it knows: each becomes a section of its prompt. */
  readonly topics: readonly string[]
  readonly requests: readonly string[]
}

const habits = [
  (topic: string) =>
    `## ${topic}\nBefore you touch ${topic}, read what is there. Say in one sentence what you found and what you would change, then wait if it is risky.`,
  (topic: string) =>
    `Most mistakes with ${topic} come from haste: somebody copies what worked elsewhere and does not ask why it worked. Ask. If the answer is not written down, write it down.`,
  (topic: string) =>
    `When the user asks about ${topic} and gives a deadline, plan backwards from it. Name what cannot be done in time, and what can be left out without harm.`,
  (topic: string) =>
    `Good work on ${topic} can be checked by somebody else. So leave numbers, commands, sources and open questions, not impressions. Bad news about ${topic} comes first.`,
  (topic: string) =>
    `If ${topic} has rules in this organisation, they win over your taste. If two rules contradict each other, show both and say which one you followed.`,
] as const

/** Some two thousand words, as people write system prompts. */
const promptOf = ({ topics, description }: Agent): string =>
  [
    description,
    ...topics.flatMap((topic) => habits.map((habit) => habit(topic))),
    'Answer in the language of the user. Do not flatter. Stop when it is done.',
  ].join('\n\n')

const longAgents = (source: string, agents: readonly Agent[]): HonestSource => ({
  cards: agents.map((agent) =>
    honestAgent(source, agent.name, agent.description, {
      agentKind: 'subagent',
      instructions: promptOf(agent),
    }),
  ),
  cases: agents.flatMap(({ name, requests }) =>
    requests.map(
      (text): HonestCase => ({ kind: 'long agents', text, serves: [`${source}/${name}`], of: 'agent' }),
    ),
  ),
})

/** Sub-agents with long prompts. */
export const longPrompts: readonly HonestSource[] = [
  longAgents('guild', [
    {
      name: 'database-migrator',
      description:
        'Moves databases to new versions and schemas without losing a row, with a way back at every step.',
      topics: [
        'schema changes',
        'backfills of large tables',
        'replication lag',
        'rollback scripts',
        'locks and timeouts',
        'index rebuilds',
        'foreign keys',
        'dual writes',
        'cut-over nights',
      ],
      requests: [
        'add a column to a table of 900 million rows without locking it',
        `We are still on version 11 and the provider ends support in April. There are 14 databases, the largest has 2 TB, replication lag is often 20 minutes, and a backfill last year took the shop down for an afternoon because of locks. I need a plan for the cut-over with rollback scripts for every step, an idea which index rebuilds can wait, and somebody who tells me honestly whether the foreign keys that were dropped in 2017 can come back.`,
        'plan the rollback of a schema change',
      ],
    },
    {
      name: 'accessibility-auditor',
      description:
        'Audits web pages for people who cannot see, hear or use a mouse, and fixes what it finds.',
      topics: [
        'keyboard traps',
        'colour contrast',
        'screen reader labels',
        'captions',
        'focus order',
        'form errors',
        'motion and flashing',
        'headings',
        'touch targets',
      ],
      requests: [
        'check our checkout for screen readers and keyboard use',
        `A blind customer wrote that she cannot finish an order: the focus order jumps, the form errors are only red, and the dialog with the terms is a keyboard trap. Our lawyer says that from June we are liable. I have 60 pages, two of them with video that has no captions, and designers who love grey on grey. Please audit the pages, fix headings, labels and colour contrast where it is simple, and list what is hard.`,
        'fix colour contrast and focus order',
      ],
    },
    {
      name: 'grant-writer',
      description:
        'Writes applications for research money: aims, work packages, budgets, data plans and letters.',
      topics: [
        'aims and hypotheses',
        'work packages',
        'budget tables',
        'data management plans',
        'letters of support',
        'ethics sections',
        'impact statements',
        'reviewer answers',
        'Gantt charts',
      ],
      requests: [
        'write the data management plan for a grant application',
        `The call closes on 12 December and we have an idea, four partners and a bad experience: last time the reviewers wrote that the work packages did not follow from the aims, the budget tables did not add up and the ethics section was copied. Two letters of support are missing. I need somebody who goes through the hypotheses with us, draws up a Gantt chart that is not a joke, and writes the impact statement in words that are not empty.`,
        'answer the reviewers of our grant proposal',
      ],
    },
    {
      name: 'test-gardener',
      description:
        'Looks after a test suite: removes flaky tests, speeds it up, and finds what is not tested.',
      topics: [
        'flaky tests',
        'slow fixtures',
        'coverage gaps',
        'snapshot tests',
        'test data',
        'parallel runs',
        'mocks',
        'mutation testing',
        'quarantine lists',
      ],
      requests: [
        'our tests fail at random, find out why',
        `The suite takes 52 minutes and one run in four fails for no reason, so people press retry until it is green. There is a quarantine list of 140 flaky tests that nobody looks at. Slow fixtures start a database for every file, mocks pretend things that have not been true for years, and snapshot tests are updated blindly. I want it under ten minutes, with parallel runs, and to know by mutation testing what is really covered.`,
        'which parts of the code have no tests',
      ],
    },
    {
      name: 'genealogist',
      description:
        'Researches family history in registers, passenger lists and old newspapers, and keeps proof of each step.',
      topics: [
        'parish registers',
        'passenger lists',
        'census records',
        'old handwriting',
        'name changes',
        'land deeds',
        'military files',
        'newspaper notices',
        'family trees',
      ],
      requests: [
        'find the ship on which my great-grandfather emigrated',
        `My grandmother always said that her father came from a village near Lviv and changed his name on the boat. We have a postcard in old handwriting, a census record of 1910 that spells him three ways, and a newspaper notice of his wedding. The parish registers there were partly burnt. I would like to know where he was born, which passenger lists he is on, and whether the land deeds that my cousin found belong to our family or to another of the same name.`,
        'read the old handwriting in a parish register',
      ],
    },
    {
      name: 'energy-advisor',
      description:
        'Advises owners of houses on insulation, heating, solar power and subsidies, with numbers.',
      topics: [
        'roof insulation',
        'heat pumps',
        'solar panels',
        'window frames',
        'subsidies',
        'heating load',
        'moisture and mould',
        'battery storage',
        'hydraulic balancing',
      ],
      requests: [
        'is a heat pump worth it in a house of 1968',
        `We bought a house of 1968 with single glazing, an oil boiler of 1994 and a flat roof that leaks. The neighbour says to start with the windows, the installer wants to sell us a heat pump of 16 kilowatts, and my brother swears by solar panels with battery storage. There are subsidies, but only for some orders of doing things. In the bathroom there is mould already. In which order should we do roof insulation, windows and heating, and what does each of it bring?`,
        'which subsidies are there for roof insulation',
      ],
    },
    {
      name: 'incident-commander',
      description: 'Leads through an outage: roles, messages, decisions, and the review afterwards.',
      topics: [
        'severity levels',
        'status pages',
        'handovers',
        'decision logs',
        'customer messages',
        'war rooms',
        'blameless reviews',
        'follow-up actions',
        'escalation paths',
      ],
      requests: [
        'lead us through an outage of the payment service',
        `Payments fail for about a fifth of our customers since 9:40, two teams blame each other, and the status page still says that all is well. The head of sales writes directly to engineers. I need somebody who sets the severity level, keeps a decision log, writes customer messages every half hour, manages the handovers when the night shift comes, knows the escalation paths to the bank, and afterwards holds a blameless review whose follow-up actions are actually done.`,
        'write the review after an incident without blame',
      ],
    },
    {
      name: 'choir-arranger',
      description: 'Arranges songs for choirs of any size, with ranges, breath marks and piano reductions.',
      topics: [
        'voice ranges',
        'part writing',
        'breath marks',
        'key changes',
        'piano reductions',
        'lyrics underlay',
        'page turns',
        'rehearsal letters',
        'unison passages',
      ],
      requests: [
        'arrange a folk song for a choir with few tenors',
        `We are 34 altos and sopranos, three tenors, of whom one reads music, and four basses who do not like to sing above middle C. For the anniversary we want the song that the founder wrote in 1951, of which there is only a melody with chords on a napkin. It should have three verses with key changes, unison passages where the men are weak, sensible page turns, rehearsal letters, and a piano reduction that our accompanist, who is 81, can play.`,
        'write a piano reduction for a choir piece',
      ],
    },
  ]),
]
