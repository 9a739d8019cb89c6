import { honestAgent, type HonestSource, vendor } from '../honest-source.ts'

const of = 'first person'

/** Tools and agents that speak of themselves as "I", and some that ask. */
export const firstPersonVendors: readonly HonestSource[] = [
  vendor('harbourmaster', of, [
    [
      'berth_finder',
      'I find a free berth for your boat. Tell me its length and draught and I look in every marina of the region.',
      'find a berth for a 12 metre sailing boat',
    ],
    [
      'tide_table',
      'I know the tides of 600 ports, seven days ahead, in metres over chart datum.',
      'when is high water in the port tomorrow',
    ],
    [
      'crew_list',
      "I'm the one who keeps your crew list, with passports and next of kin, and I print it for customs.",
      'print a crew list for customs',
    ],
    ['fuel_dock', 'I compare what diesel costs at fuel docks near you.', 'cheapest diesel dock nearby'],
    [
      'weather_window',
      'I look for a day on which you can cross: wind, waves and visibility within your limits.',
      'which day this week is calm enough to cross the channel',
    ],
    [
      'engine_log',
      'I write down engine hours, oil changes and faults, and remind you.',
      'note an oil change at 1,250 engine hours',
    ],
  ]),
  vendor('storybrook', of, [
    [
      'plot_doctor',
      'Stuck in the second act? I read your outline and tell you what is missing.',
      'what is missing in the outline of my novel',
    ],
    [
      'name_maker',
      'Need a name for a villain? I make names that fit a time and a country.',
      'name for a villain in Victorian London',
    ],
    [
      'line_editor',
      'I shorten your sentences and take out adverbs without changing your voice.',
      'tighten the prose of this chapter',
    ],
    [
      'query_letter',
      'I write the letter to a literary agent with you, one page, no clichés.',
      'help with a letter to a literary agent',
    ],
    [
      'beta_reader',
      'I read as a reader would and say where I got bored.',
      'say where a reader gets bored in my story',
    ],
    [
      'world_bible',
      'I keep track of places, people and magic, so that chapter 30 agrees with chapter 2.',
      'check that places and people agree over all chapters',
    ],
  ]),
  vendor('kindlyclinic', of, [
    [
      'triage',
      'How are you feeling? I ask what a nurse would ask and say how urgent it is.',
      'is a fever of 39 with a rash urgent',
    ],
    [
      'pill_reminder',
      'I remind you of your pills, and I tell your family when you forgot.',
      'remind my mother of her pills',
    ],
    [
      'lab_explainer',
      'What do my blood values mean? I explain each of them in plain words.',
      'explain the values of a blood test',
    ],
    [
      'interaction_check',
      'I check whether two medicines get along.',
      'may ibuprofen be taken with blood thinners',
    ],
    [
      'find_doctor',
      'Looking for a dentist who takes new patients? I know who does.',
      'find a dentist with free appointments',
    ],
    ['sleep_diary', 'I keep your sleep diary and show what disturbs you.', 'track how I sleep'],
  ]),
  vendor('trailhead', of, [
    [
      'route_planner',
      'Where do you want to walk? I draw a loop of the length you like.',
      'draw a 15 km walking loop from the station',
    ],
    [
      'hut_booking',
      'I book beds in mountain huts, also for groups.',
      'reserve beds in a mountain hut for six',
    ],
    [
      'avalanche',
      'Is it safe up there? I read the avalanche bulletin for you.',
      'avalanche danger above 2,000 metres today',
    ],
    [
      'gear_list',
      'What do I pack? I make the list by season, height and nights out.',
      'what to pack for three nights in the mountains in October',
    ],
    [
      'summit_log',
      'I remember every summit of yours, with date, company and weather.',
      'log that I climbed a summit',
    ],
  ]),
  {
    cards: [
      honestAgent(
        'helpers',
        'tax-clerk',
        'I fill in your tax return with you, question by question, and tell you what you may deduct.',
      ),
      honestAgent(
        'helpers',
        'move-planner',
        "I'm your moving planner: I make the list, call the movers and remind you of the meter readings.",
      ),
      honestAgent(
        'helpers',
        'study-buddy',
        'I ask you questions until you know it. Send me your notes and I make cards of them.',
      ),
      honestAgent(
        'helpers',
        'garden-friend',
        'Not sure what eats your roses? I look at photos of leaves and tell you what to do.',
      ),
      honestAgent(
        'helpers',
        'recipe-scaler',
        'I turn a recipe for four into one for thirty, and write the shopping list.',
      ),
    ],
    cases: [
      ['tax-clerk', 'help me fill in my tax return and find deductions'],
      ['move-planner', 'plan our move to another flat'],
      ['study-buddy', 'make flash cards of my lecture notes and quiz me'],
      ['garden-friend', 'what is eating the leaves of my roses'],
      ['recipe-scaler', 'scale a recipe up to thirty people'],
    ].map(([name, text]) => ({ kind: of, text: text!, serves: [`helpers/${name}`], of: 'agent' as const })),
  },
]
