import type { ToolCard } from '../../../src/domain/card.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

type Tool = readonly [name: string, does: 'reads' | 'changes' | 'destroys', description: string]

/** Tools of one server; what each does is declared, or said by its words alone. */
const catalog = (server: string, says: 'declared' | 'by words', tools: readonly Tool[]) =>
  tools.map(
    ([name, does, description]): ToolCard =>
      toolCard(`${server}/${name}`, {
        description,
        server,
        ...(says === 'declared'
          ? { annotations: { readOnly: does === 'reads', destructive: does === 'destroys' } }
          : {}),
      }),
  )

/** Readers and writers side by side. */
export const toldCatalogs = {
  documents: catalog('docstore', 'declared', [
    ['find_documents', 'reads', 'Runs a query against a collection of documents.'],
    ['count_documents', 'reads', 'Number of documents that match a filter.'],
    ['insert_documents', 'changes', 'Insert documents such as orders, customers or products.'],
    ['update_documents', 'changes', 'Updates documents that match a filter: orders, customers, an email.'],
    ['delete_documents', 'destroys', 'Deletes documents that match a filter: customers, orders, products.'],
  ]),
  billing: catalog('billing', 'by words', [
    ['get_invoice', 'reads', 'Shows one invoice with its lines, dates and payments.'],
    ['search_invoices', 'reads', 'Search invoices by customer, date or status.'],
    ['create_invoice', 'changes', 'Create an invoice for a customer.'],
    ['pay_invoice', 'changes', 'Pay an invoice; it is marked as paid.'],
    ['send_invoice', 'changes', 'Send an invoice to a customer by mail.'],
    ['cancel_invoice', 'destroys', 'Cancel an invoice that was sent or created by mistake.'],
  ]),
  drive: catalog('drive', 'declared', [
    ['list_files', 'reads', 'Lists files and folders with the dates of their changes.'],
    ['read_file', 'reads', 'Contents of a file.'],
    ['activity_log', 'reads', 'What happened to files: who did what, and when.'],
    ['upload_file', 'changes', 'Upload a file to a folder.'],
    ['move_file', 'changes', 'Move or rename a file.'],
    ['share_file', 'changes', 'Share a file with somebody.'],
    ['remove_file', 'destroys', 'Remove a file from a folder.'],
  ]),
  people: catalog('people', 'by words', [
    ['list_employees', 'reads', 'Employees with team, role and date of entry.'],
    ['get_employee', 'reads', 'Profile of one employee with contract and leave.'],
    ['add_employee', 'changes', 'Add an employee who was hired.'],
    ['update_employee', 'changes', 'Update role, team or salary of an employee.'],
    ['approve_leave', 'changes', 'Approve a request for leave of an employee.'],
    ['terminate_employee', 'destroys', 'Terminate the contract of an employee.'],
  ]),
  servers: catalog('fleet', 'declared', [
    ['list_servers', 'reads', 'Servers of the fleet with state and time of start.'],
    ['get_logs', 'reads', 'Log lines of a server.'],
    ['deploy_release', 'changes', 'Deploy a release to servers.'],
    ['restart_server', 'changes', 'Restart a server.'],
    ['stop_server', 'changes', 'Stop a server.'],
    ['destroy_server', 'destroys', 'Destroy a server for good.'],
  ]),
  tickets: catalog('helpdesk', 'by words', [
    ['search_tickets', 'reads', 'Tickets by status, customer, agent or date.'],
    ['show_ticket', 'reads', 'One ticket with its history and comments.'],
    ['open_ticket', 'changes', 'Open a ticket for a customer.'],
    ['assign_ticket', 'changes', 'Assign a ticket to an agent.'],
    ['close_ticket', 'changes', 'Close a ticket that is solved.'],
    ['merge_tickets', 'changes', 'Merge tickets that were opened twice.'],
    ['delete_ticket', 'destroys', 'Delete a ticket.'],
  ]),
} as const

export const toldReaders: ReadonlySet<string> = new Set(
  'find_documents count_documents get_invoice search_invoices list_files read_file activity_log list_employees get_employee list_servers get_logs search_tickets show_ticket'.split(
    ' ',
  ),
)

/** A request of somebody who only wants to know. Every second row was not looked at until the code was done. */
export type ToldRequest = readonly [of: keyof typeof toldCatalogs, request: string]

export const tellingRequests: readonly ToldRequest[] = [
  ['documents', 'customers that were deleted'],
  ['documents', 'orders updated today'],
  ['documents', 'do any documents lack an email'],
  ['documents', 'products inserted since Monday'],
  ['documents', 'how many customers did we delete last month'],
  ['documents', 'which orders got updated twice'],
  ['documents', 'documents that have never been updated'],
  ['documents', 'was the order of Miller deleted'],
  ['documents', 'the number of orders that were inserted yesterday'],
  ['documents', 'I want a list of the customers we deleted'],
  ['billing', 'when was the invoice paid'],
  ['billing', 'invoices sent to Miller last week'],
  ['billing', 'has invoice 88 been cancelled'],
  ['billing', 'who paid the invoice'],
  ['billing', 'unpaid invoices'],
  ['billing', 'show me all invoices that were created in March'],
  ['billing', 'did the customer pay invoice 12'],
  ['billing', 'invoices which have not been sent'],
  ['billing', 'check whether the invoice was sent'],
  ['billing', 'how much did we pay for invoice 7'],
  ['drive', 'list the files I removed yesterday'],
  ['drive', 'files shared with Anna'],
  ['drive', 'who moved the budget file'],
  ['drive', 'what did Tom upload this week'],
  ['drive', 'when was the contract uploaded'],
  ['drive', 'has anyone renamed the folder'],
  ['drive', 'recently removed files'],
  ['drive', 'find the file that Ben shared'],
  ['drive', 'which files were moved to the archive'],
  ['drive', 'is the report shared with the team'],
  ['people', 'employees added this year'],
  ['people', 'who approved the leave of Kim'],
  ['people', 'whose contract was terminated'],
  ['people', 'was the salary of Ana updated'],
  ['people', 'people hired since June'],
  ['people', 'tell me which employees were terminated in May'],
  ['people', 'how many leaves did Bo approve'],
  ['people', 'employees whose role has not been updated'],
  ['people', 'has my leave been approved'],
  ['people', 'look up when Carla was added'],
  ['servers', 'servers that were restarted today'],
  ['servers', 'when was the last release deployed'],
  ['servers', 'why did the server stop'],
  ['servers', 'which servers have been destroyed'],
  ['servers', 'who restarted web-1'],
  ['servers', 'stopped servers'],
  ['servers', 'did somebody deploy a release on Friday'],
  ['servers', 'show the servers we stopped last night'],
  ['servers', 'is any server being restarted'],
  ['servers', 'what happened after the release was deployed'],
  ['tickets', 'tickets closed yesterday'],
  ['tickets', 'who closed the ticket'],
  ['tickets', 'is the ticket assigned to anyone'],
  ['tickets', 'tickets that were merged'],
  ['tickets', 'how long have tickets been open'],
  ['tickets', 'which agent was assigned to ticket 4'],
  ['tickets', 'have the duplicates been merged'],
  ['tickets', 'give me the tickets Lee opened in April'],
  ['tickets', 'welche Tickets wurden gestern geschlossen'],
  ['tickets', 'quels tickets ont été supprimés'],
]

/** Requests to do something, with the tools that do it. */
export const doingRequests: readonly (readonly [...ToldRequest, serving: string])[] = [
  ['documents', 'update the orders that were cancelled', 'update_documents'],
  ['documents', 'delete the customers who were inserted by mistake', 'delete_documents'],
  ['documents', 'remove the products we updated yesterday', 'delete_documents'],
  ['documents', 'can you insert the orders that were deleted', 'insert_documents'],
  ['documents', 'deleted the wrong customer, insert it again', 'insert_documents'],
  ['billing', 'pay the invoice that was sent last week', 'pay_invoice'],
  ['billing', 'did you see the mistake? cancel the invoice', 'cancel_invoice'],
  ['billing', 'send the invoice that I created', 'send_invoice'],
  ['billing', 'the invoice was sent twice, cancel one', 'cancel_invoice'],
  ['billing', 'would you send invoice 9 to the customer', 'send_invoice'],
  ['drive', 'remove the files that were uploaded yesterday', 'remove_file'],
  ['drive', 'share the report which Tom uploaded with Anna', 'share_file'],
  ['drive', 'move the files that were shared with me to the archive', 'move_file'],
  ['drive', 'please upload the file I removed', 'upload_file'],
  ['drive', 'rename the file that was moved', 'move_file'],
  ['people', 'add the employees hired in June', 'add_employee'],
  ['people', 'approve the leave that Kim asked for', 'approve_leave'],
  ['people', 'I want you to terminate the contract of Bo', 'terminate_employee'],
  ['people', 'update the salary of the people who were added in May', 'update_employee'],
  ['people', 'could you approve the leave of Ana', 'approve_leave'],
  ['servers', 'restart the servers that were stopped', 'restart_server'],
  ['servers', 'destroy the server nobody restarted', 'destroy_server'],
  ['servers', 'deploy the release that failed yesterday again', 'deploy_release'],
  ['servers', 'stop whatever server was deployed last', 'stop_server'],
  ['servers', 'we need the stopped servers restarted', 'restart_server'],
  ['tickets', 'close the tickets that were solved', 'close_ticket'],
  ['tickets', 'assign the ticket Lee opened to Kim', 'assign_ticket'],
  ['tickets', 'merge the tickets that were opened twice', 'merge_tickets'],
  ['tickets', 'delete the tickets which were merged', 'delete_ticket'],
  ['tickets', 'I would like the ticket closed', 'close_ticket'],
]
