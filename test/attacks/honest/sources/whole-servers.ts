import { honestAgent, honestTool, type HonestCase, type HonestSource } from '../honest-source.ts'

type Server = {
  readonly source: string
  readonly name: string
  readonly description: string
  /** What its tools do, and what they do it to: each pair is a tool. */
  readonly verbs: readonly string[]
  readonly objects: readonly string[]
  readonly requests: readonly string[]
}

/** A server of some sixty tools, listed as one card: as a toolkit, and as a tool whose documentation lists them. */
function wholeServer({ source, name, description, verbs, objects, requests }: Server): HonestSource {
  const tools = verbs.flatMap((verb) =>
    objects.map((object) => ({
      name: `${verb}_${object}`.replaceAll(' ', '_'),
      description: `${verb[0]!.toUpperCase()}${verb.slice(1)}s ${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}, by id or by name.`,
    })),
  )
  const listed = tools.map((tool) => `- ${tool.name}: ${tool.description}`).join('\n')
  const asTool = `${name}-server`
  return {
    cards: [
      honestAgent(source, name, description, { tools }),
      honestTool(source, asTool, `${description}\nTools of this server:\n${listed}`),
    ],
    cases: requests.flatMap((text): readonly HonestCase[] => [
      { kind: 'whole servers', text, serves: [`${source}/${name}`], of: 'agent' },
      { kind: 'whole servers', text, serves: [`${source}/${asTool}`], of: 'tool' },
    ]),
  }
}

/** Servers of many tools, and requests that name much of what they do. */
export const wholeServers: readonly HonestSource[] = [
  wholeServer({
    source: 'boatyard',
    name: 'workshop',
    description: 'Runs a boatyard: jobs, parts, lifts, berths, customers and bills.',
    verbs: ['create', 'find', 'update', 'close', 'print'],
    objects: [
      'work order',
      'spare part',
      'lift slot',
      'winter berth',
      'customer',
      'invoice',
      'engine survey',
      'hull inspection',
      'rigging check',
      'paint job',
      'time sheet',
      'delivery note',
    ],
    requests: [
      `On Monday Mr Haugen brings his motor boat for the winter. I have to find a lift slot in the morning, create a winter berth for him in the big hall, and a work order with a hull inspection and an engine survey. The spare part he asked for in spring, the impeller, should be here by now: find out. If the hull needs paint, create a paint job for February, and when the rigging check of his neighbour's boat is done, close it and print the time sheet and the invoice for that customer. He also wants the delivery note of the new propeller again, since he lost it. Last year we forgot half of this, so please go through all of it step by step and tell me what is missing.`,
      `close the work order and print the invoice for the customer`,
      `find a free lift slot and update the winter berth list`,
    ],
  }),
  wholeServer({
    source: 'clinicsuite',
    name: 'front-desk',
    description:
      'The front desk of a medical practice: appointments, patients, prescriptions, referrals, bills.',
    verbs: ['book', 'cancel', 'list', 'send', 'check'],
    objects: [
      'appointment',
      'referral',
      'prescription',
      'lab result',
      'patient record',
      'insurance claim',
      'vaccination',
      'sick note',
      'reminder',
      'waiting list entry',
      'x-ray order',
      'payment',
    ],
    requests: [
      `Mrs Adeyemi was here yesterday and left before everything was settled. Please book her an appointment for the vaccination in two weeks, send the prescription to her pharmacy and the referral to the eye clinic, check whether the lab result of the 14th has come and whether the insurance claim for the x-ray order was paid. If the payment is still open, send a reminder, but only one, since she complained last time. Her son needs a sick note for school, and he was on a waiting list entry for allergy tests that I want to cancel because he has an appointment elsewhere. List all that is in her patient record since June, so that the doctor can see it before she comes.`,
      `send the sick note and cancel the appointment`,
      `check whether a lab result is there and list open payments`,
    ],
  }),
  wholeServer({
    source: 'farmgate',
    name: 'shop',
    description: 'A farm shop with boxes by subscription: products, boxes, routes, drivers and stock.',
    verbs: ['add', 'remove', 'show', 'plan', 'count'],
    objects: [
      'vegetable box',
      'subscription',
      'delivery route',
      'driver',
      'product',
      'stock item',
      'recipe card',
      'voucher',
      'supplier',
      'harvest',
      'complaint',
      'returned crate',
    ],
    requests: [
      `This week 40 new people took a subscription because of the article in the paper, and I am losing track. Add a vegetable box for each of them, plan the delivery route on Thursday so that no driver is out after six, and show which product is short, since the harvest of leeks was bad. Count the returned crates: I think 60 are missing. Remove the voucher of the spring campaign, it still works and it should not. If a supplier can bring carrots, add them as stock item, and put a recipe card for celeriac into each box, because every year somebody writes a complaint that they do not know what to do with it.`,
      `plan the delivery route for Thursday`,
      `count returned crates and show complaints`,
    ],
  }),
  wholeServer({
    source: 'stagecraft',
    name: 'theatre',
    description: 'Plans a theatre: rehearsals, casts, props, costumes, lights and guest performances.',
    verbs: ['schedule', 'assign', 'list', 'move', 'archive'],
    objects: [
      'rehearsal',
      'cast member',
      'prop',
      'costume fitting',
      'lighting cue',
      'sound cue',
      'guest performance',
      'set piece',
      'understudy',
      'stage crew shift',
      'programme note',
      'dress rehearsal',
    ],
    requests: [
      `Our Hamlet broke his ankle on the stairs this morning. We need to assign the understudy for Friday, schedule a rehearsal with him tomorrow and a costume fitting before that, and move the dress rehearsal of the other play to Sunday, which means another stage crew shift. List every lighting cue and sound cue that depends on where he stands in the duel, and every prop he carries. The guest performance in Bern cannot be moved, so please see which cast member could go there in his place. The programme note has to be changed and the old one archived, and nobody may forget the set piece with the trap door, which he cannot use.`,
      `schedule a costume fitting before the rehearsal`,
      `assign an understudy to a role`,
    ],
  }),
  wholeServer({
    source: 'townhall',
    name: 'register',
    description: 'Registers of a municipality: residents, certificates, permits, dogs, graves and fees.',
    verbs: ['register', 'look up', 'issue', 'revoke', 'export'],
    objects: [
      'resident',
      'birth certificate',
      'building permit',
      'dog licence',
      'grave site',
      'market stall',
      'parking permit',
      'fishing licence',
      'marriage',
      'business',
      'street closure',
      'fee notice',
    ],
    requests: [
      `A family of five moves here from Portugal next month. I have to register each resident, look up whether the birth certificate of the youngest is valid here, issue a parking permit and, because of the two spaniels, a dog licence for each. The father wants to open a business, a market stall on Saturdays to begin with, for which I need to issue a fee notice. Their house has a building permit that was revoked in 2019; look up why. On the day of the move they need a street closure for the lorry. The grandmother asks whether the grave site of her husband can be moved here. Export everything for the file, and tell me which fee notice is due first.`,
      `issue a parking permit for a new resident`,
      `look up a building permit that was revoked`,
    ],
  }),
  wholeServer({
    source: 'skiresort',
    name: 'operations',
    description: 'Operates a ski area: lifts, slopes, snow guns, passes, patrols and lessons.',
    verbs: ['open', 'close', 'report', 'book', 'measure'],
    objects: [
      'chair lift',
      'slope',
      'snow gun',
      'ski pass',
      'patrol',
      'ski lesson',
      'avalanche gate',
      'parking area',
      'rental set',
      'piste basher',
      'race course',
      'toboggan run',
    ],
    requests: [
      `It snowed 60 centimetres overnight and the wind is still at 70 km/h on the ridge. Before eight I have to decide: close the chair lift on the north side and the avalanche gate, open the toboggan run for the children of the school from Ulm who booked a ski lesson, and send a patrol to the slope under the Kessel. Report which snow gun is still running, since we do not need any, and measure the snow on the race course for the jury. The parking area is full of drifts, so book the second piste basher until noon. People with a ski pass for today will ask for their money, and the rental set for the school has to be ready: report how many are left.`,
      `close the chair lift because of the wind`,
      `book a ski lesson and a rental set`,
    ],
  }),
]
