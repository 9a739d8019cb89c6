import type { ToolCard } from '../../../src/domain/card.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

type Tool = readonly [name: string, description: string, does: 'reads' | 'changes' | 'destroys']

const domains = {
  museum: [
    ['list_loans', 'Exhibits that are lent out, with borrower and date of return.', 'reads'],
    ['lend_exhibit', 'Lend an exhibit to another museum.', 'changes'],
    ['open_showcase', 'Unlock a showcase and open its door.', 'changes'],
    ['showcase_state', 'Climate and door state of a showcase.', 'reads'],
    ['record_humidity', 'Record a humidity measurement of a room.', 'changes'],
    ['humidity_history', 'Show the humidity of a room over time.', 'reads'],
    ['discard_exhibit', 'Remove an exhibit from the collection for good.', 'destroys'],
    ['search_collection', 'Search exhibits by title, artist or period.', 'reads'],
  ],
  garage: [
    ['find_bookings', 'Look up bookings of a lift by day or plate.', 'reads'],
    ['book_lift', 'Book a lift for a car.', 'changes'],
    ['release_lift', 'Release a lift after the car has left.', 'changes'],
    ['tyre_stock', 'Show how many tyres of a size are left.', 'reads'],
    ['order_tyres', 'Order tyres from the wholesaler.', 'changes'],
    ['scrap_car', 'Deregister a car and delete its file.', 'destroys'],
    ['service_history', 'List the services that a car has had.', 'reads'],
    ['invoice_state', 'Tell whether an invoice is paid, and when it was sent.', 'reads'],
    ['send_invoice', 'Send an invoice to the owner of a car.', 'changes'],
  ],
  ledger: [
    ['query_entries', 'Run a query over the entries and return rows.', 'reads'],
    ['post_entry', 'Post an entry to an account.', 'changes'],
    ['reverse_entry', 'Reverse an entry that was posted by mistake.', 'changes'],
    ['delete_entries', 'Delete entries of an account that match a condition.', 'destroys'],
    ['close_period', 'Close an accounting period so that nothing can be posted.', 'changes'],
    ['period_status', 'Show whether an accounting period is open or closed.', 'reads'],
    ['list_accounts', 'List accounts with their balances.', 'reads'],
  ],
} as const satisfies { readonly [domain: string]: readonly Tool[] }

export type Domain = keyof typeof domains

/** Tools of a domain; what each does is declared, or said by its words alone. */
export const cardsOf = (domain: Domain, declared: boolean): readonly ToolCard[] =>
  domains[domain].map(([name, description, does]) =>
    toolCard(`${domain}/${name}`, {
      description,
      server: domain,
      ...(declared ? { annotations: { readOnly: does === 'reads', destructive: does === 'destroys' } } : {}),
    }),
  )

export const readers: ReadonlySet<string> = new Set(
  Object.values(domains).flatMap((tools) =>
    tools.flatMap(([name, , does]) => (does === 'reads' ? [name] : [])),
  ),
)

/** All ask to be told something, many by words of the tools that change it. */
export const readQuestions: readonly (readonly [Domain, string])[] = [
  ['museum', 'which exhibits are lent to another museum'],
  ['museum', 'which showcase is open'],
  ['museum', 'is the showcase in hall 2 open'],
  ['museum', 'look at the humidity recorded in the vault'],
  ['museum', 'how many exhibits would be discarded'],
  ['museum', 'what did we lend last year'],
  ['museum', 'check if the vase was discarded'],
  ['museum', 'see which showcases are unlocked before I open any'],
  ['museum', 'has the exhibit been lent out'],
  ['museum', 'what humidity was recorded yesterday'],
  ['garage', 'which lift is free'],
  ['garage', 'is a lift booked for tomorrow'],
  ['garage', 'how many tyres were ordered'],
  ['garage', 'what tyres did we order in May'],
  ['garage', 'check whether the invoice was sent'],
  ['garage', 'show me the cars that were scrapped'],
  ['garage', 'who has booked the second lift'],
  ['garage', 'are there tyres of that size'],
  ['garage', 'was the lift released'],
  ['garage', 'look up who the invoice was sent to'],
  ['ledger', 'which entries in the account have no receipt'],
  ['ledger', 'how many entries would be deleted'],
  ['ledger', 'see what entries match before I change anything'],
  ['ledger', 'what entries did we delete'],
  ['ledger', 'is the period closed'],
  ['ledger', 'which periods are open'],
  ['ledger', 'check if the entry was reversed'],
  ['ledger', 'who posted the entry'],
  ['ledger', 'has anything been posted to the account'],
  ['ledger', 'are any periods still open'],
  ['ledger', 'show the entries posted in June'],
]

export const writeRequests: readonly (readonly [Domain, request: string, first: string])[] = [
  ['museum', 'open the showcase', 'open_showcase'],
  ['museum', 'record the humidity of the vault', 'record_humidity'],
  ['museum', 'lend the vase to Oslo', 'lend_exhibit'],
  ['garage', 'release the lift', 'release_lift'],
  ['garage', 'order four tyres', 'order_tyres'],
  ['garage', 'send the invoice to its owner', 'send_invoice'],
  ['ledger', 'delete the entries of March', 'delete_entries'],
  ['ledger', 'close the period', 'close_period'],
  ['ledger', 'reverse the entry', 'reverse_entry'],
]
