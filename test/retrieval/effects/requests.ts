import type { ToolCard } from '../../../src/domain/card.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

/** Tools of one server: name, description, what they declare. */
type Tool = readonly [name: string, description: string, annotations?: ToolCard['annotations']]

const catalog = (server: string, tools: readonly Tool[]): readonly ToolCard[] =>
  tools.map(([name, description, annotations]) =>
    toolCard(`${server}/${name}`, { description, server, ...(annotations ? { annotations } : {}) }),
  )

const reads = { readOnly: true }
const writes = { readOnly: false }

export const catalogs = {
  database: catalog('mongo', [
    ['find', 'Run a find query against a collection of documents.', reads],
    ['count', 'Gets the number of documents in a collection.', reads],
    [
      'insert-many',
      'Insert an array of documents into a collection: orders, customers and other records.',
      writes,
    ],
    ['update-many', 'Updates all documents that match the filter, for example orders of a customer.', writes],
    [
      'delete-many',
      'Removes all documents that match the filter, such as orders without a customer.',
      { destructive: true },
    ],
    ['drop-collection', 'Removes a collection from the database with its documents.', { destructive: true }],
    ['create-index', 'Create an index for a collection.', writes],
  ]),
  sheets: catalog('sheets', [
    ['get_range', 'Returns the values of a range of cells.'],
    ['write_range', 'Write values to a range of cells of the sheet.'],
    ['append_rows', 'Append rows of cells to the end of a sheet.'],
    ['clear_range', 'Clear the values of a range of cells.'],
    ['list_sheets', 'Lists the sheets of a spreadsheet.'],
    ['create_sheet', 'Create a new sheet in a spreadsheet.'],
    ['delete_sheet', 'Delete a sheet of a spreadsheet.'],
  ]),
  shop: catalog('shop', [
    ['search_orders', 'Search orders by customer, date or status.'],
    ['get_order', 'Shows one order with its items and its status.'],
    ['create_order', 'Create an order for a customer with items.'],
    ['update_order', 'Change the status, the address or the items of an order.'],
    ['cancel_order', 'Cancel an order of a customer.'],
    ['delete_customer', 'Delete a customer and all orders of the customer.'],
  ]),
  files: catalog('files', [
    ['read_file', 'Read the complete contents of a file.', reads],
    ['list_directory', 'List the files and folders of a directory.', reads],
    ['search_files', 'Search for files whose name matches a pattern.', reads],
    ['write_file', 'Create a file or overwrite the contents of a file.', { destructive: true }],
    ['move_file', 'Move or rename files and folders.', writes],
    ['delete_file', 'Delete a file.', { destructive: true }],
  ]),
  calendar: catalog('calendar', [
    ['listEvents', 'Lists meetings and other events between two dates.'],
    ['getEvent', 'Gets one event, its place and its attendees.'],
    ['createEvent', 'Create an event such as a meeting, with attendees.'],
    ['updateEvent', 'Update the time, the place or the attendees of an event.'],
    ['deleteEvent', 'Delete an event, a meeting that is called off.'],
  ]),
  issues: catalog('tracker', [
    ['issue_list', 'Issues of a project, filtered by label, assignee or state.'],
    ['issue_get', 'One issue with its comments.'],
    ['issue_create', 'Create an issue with a title, labels and an assignee.'],
    ['issue_update', 'Update title, labels, state or assignee of an issue.'],
    ['issue_delete', 'Delete an issue for good.'],
    ['comment_add', 'Add a comment to an issue.'],
  ]),
} as const

/** A request and the names of the tools that may stand first. */
export type Asked = readonly [of: keyof typeof catalogs, request: string, serving: string]

export const requests: readonly Asked[] = [
  ['database', 'which orders have no customer', 'find count'],
  ['database', 'how many documents are in the orders collection', 'count find'],
  ['database', 'show me the customers from Lyon', 'find'],
  ['database', 'are there orders older than a year?', 'find count'],
  ['database', 'I want to see all documents of the collection that match a filter', 'find'],
  ['database', 'insert these three customers', 'insert-many'],
  ['database', 'update the price in all documents that match', 'update-many'],
  ['database', 'remove all documents without an email', 'delete-many'],
  ['database', 'please delete orders of the customer 17', 'delete-many'],
  ['database', 'drop the collection of old orders', 'drop-collection'],
  ['sheets', 'read the cells', 'get_range'],
  ['sheets', 'what values are in the cells A1 to C9', 'get_range'],
  ['sheets', 'tell me what stands in the last rows of the sheet', 'get_range'],
  ['sheets', 'what is in the range of cells B2:B9', 'get_range'],
  ['sheets', 'which sheets does the spreadsheet have', 'list_sheets'],
  ['sheets', 'write the total to the cells', 'write_range'],
  ['sheets', 'add these rows of cells to the end', 'append_rows'],
  ['sheets', 'create a sheet for March', 'create_sheet'],
  ['sheets', 'delete the sheet of last year', 'delete_sheet'],
  ['sheets', 'clear the cells in column D', 'clear_range'],
  ['shop', 'which orders of this customer are open', 'search_orders get_order'],
  ['shop', 'what is the status of order 1207', 'get_order search_orders'],
  ['shop', 'show the items of an order', 'get_order'],
  ['shop', 'who is the customer of order 88', 'get_order search_orders'],
  ['shop', 'has the address of the order been changed', 'get_order search_orders'],
  ['shop', 'create an order with two items for a customer', 'create_order'],
  ['shop', 'change the address of an order', 'update_order'],
  ['shop', 'cancel the order of the customer', 'cancel_order'],
  ['shop', 'delete the customer Miller', 'delete_customer'],
  ['shop', 'I need to update the status of the order to paid', 'update_order'],
  ['files', 'what is in the file notes.txt', 'read_file'],
  ['files', 'show me the contents of this file', 'read_file'],
  ['files', 'which files are in this folder', 'list_directory search_files'],
  ['files', 'where is the file whose name begins with report', 'search_files list_directory'],
  ['files', 'are there files to rename in this directory', 'list_directory search_files'],
  ['files', 'write this text to a file', 'write_file'],
  ['files', 'overwrite the file with these contents', 'write_file'],
  ['files', 'rename the file', 'move_file'],
  ['files', 'delete the file', 'delete_file'],
  ['files', 'find the old log and delete that file', 'delete_file'],
  ['calendar', 'which meetings do I have tomorrow', 'listEvents getEvent'],
  ['calendar', 'who are the attendees of the meeting', 'getEvent listEvents'],
  ['calendar', 'when is the next meeting with Ana', 'listEvents getEvent'],
  ['calendar', 'where does the meeting take place', 'getEvent listEvents'],
  ['calendar', 'do I have an event on Friday', 'listEvents getEvent'],
  ['calendar', 'create a meeting with Bo', 'createEvent'],
  ['calendar', 'update the place of the meeting', 'updateEvent'],
  ['calendar', 'add an attendee to the event', 'updateEvent createEvent'],
  ['calendar', 'delete the meeting on Monday', 'deleteEvent'],
  ['calendar', 'can you remove the event from my calendar', 'deleteEvent'],
  ['issues', 'which issues have no assignee', 'issue_list issue_get'],
  ['issues', 'how many issues have the label bug', 'issue_list'],
  ['issues', 'what do the comments of issue 12 say', 'issue_get'],
  ['issues', 'show issues with the title crash', 'issue_list issue_get'],
  ['issues', 'is the issue assigned to anyone', 'issue_get issue_list'],
  ['issues', 'create an issue with the label bug', 'issue_create'],
  ['issues', 'set the assignee of the issue to Kim', 'issue_update'],
  ['issues', 'how do I change the title of an issue', 'issue_update'],
  ['issues', 'add a comment that it works now', 'comment_add'],
  ['issues', 'delete the issue', 'issue_delete'],
]
