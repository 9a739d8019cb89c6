// Tools of an office, as MCP's tools/list gives them: more than anybody wants to send with every request.
const text = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
})

export const tools = [
  ['create_event', 'Put an appointment into the calendar', 'title', 'start'],
  ['move_event', 'Move an appointment of the calendar to another time', 'event', 'start'],
  ['cancel_event', 'Cancel an appointment and tell its guests', 'event'],
  ['list_events', 'List the appointments of a day', 'day'],
  ['send_email', 'Send an email to somebody', 'to', 'subject', 'body'],
  ['search_email', 'Search the mailbox', 'words'],
  ['archive_email', 'Archive an email', 'email'],
  ['post_message', 'Post a message into a channel of the chat', 'channel', 'message'],
  ['list_channels', 'List the channels of the chat', 'team'],
  ['create_issue', 'Open an issue in a repository', 'repository', 'title'],
  ['close_issue', 'Close an issue of a repository', 'repository', 'issue'],
  ['list_issues', 'List the open issues of a repository', 'repository'],
  ['merge_pull_request', 'Merge a pull request', 'repository', 'number'],
  ['list_commits', 'List the newest commits of a branch', 'repository', 'branch'],
  ['read_file', 'Read a file of the disk', 'path'],
  ['write_file', 'Write a text into a file of the disk', 'path', 'content'],
  ['delete_file', 'Delete a file from the disk', 'path'],
  ['list_folder', 'List what lies in a folder of the disk', 'path'],
  ['run_query', 'Run a query of SQL on the database of sales', 'sql'],
  ['list_tables', 'List the tables of the database of sales', 'schema'],
  ['create_invoice', 'Write an invoice for a customer', 'customer', 'amount'],
  ['send_invoice', 'Send an invoice that was written', 'invoice'],
  ['refund_payment', 'Give a customer the money back', 'payment'],
  ['list_payments', 'List the payments of a customer', 'customer'],
  ['convert_currency', 'Convert an amount of money into another currency', 'amount', 'from', 'to'],
  ['get_weather', 'Tell the weather of a place for the coming days', 'place'],
  ['find_route', 'Find the way from one place to another', 'from', 'to'],
  ['book_hotel', 'Book a room in a hotel', 'place', 'night'],
  ['book_flight', 'Book a seat on a flight', 'from', 'to', 'day'],
  ['translate_text', 'Translate a text into another language', 'words', 'language'],
  ['summarise_page', 'Say in a few sentences what a page of the web says', 'url'],
  ['search_web', 'Search the web', 'words'],
  ['create_page', 'Write a page of the wiki', 'title', 'content'],
  ['search_wiki', 'Search the pages of the wiki', 'words'],
  ['add_contact', 'Add somebody to the address book', 'name', 'email'],
  ['find_contact', 'Find somebody in the address book', 'name'],
].map(([name, description, ...inputs]) => ({ name, description, inputSchema: text(...inputs) }))

export const request = 'put lunch with Ada into my calendar, tomorrow at noon'

/** What a tool of the office answers. */
export const call = (name, input) => `${name} did it: ${JSON.stringify(input)}`
