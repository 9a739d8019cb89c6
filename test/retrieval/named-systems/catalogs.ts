import type { Card } from '../../../src/domain/card.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const of = (server: string, tools: { readonly [name: string]: string }): readonly Card[] =>
  Object.entries(tools).map(([name, description]) =>
    toolCard(`${server}/${name}`, { name, description, server, ...parametersOf(name) }),
  )

const takes: { readonly [tool: string]: readonly string[] } = {
  get_forecast: ['city', 'days'],
  find_hotels: ['location', 'nights'],
  send_message: ['recipient', 'text'],
  send_mail: ['recipient', 'subject', 'body'],
  translate_text: ['text', 'language'],
  post_message: ['channel', 'text'],
}
const parametersOf = (tool: string) => ({
  parameters: (takes[tool] ?? ['title', 'project']).map((name) => ({
    name,
    description: '',
    required: true,
  })),
})

const trackers = {
  create_issue: 'Create a new issue with a title and a body.',
  list_issues: 'List the open issues of a project.',
  close_issue: 'Close an issue.',
}

const gitlab = of('gitlab', { ...trackers, create_merge_request: 'Open a merge request.' })
const github = of('GitHub', { ...trackers, create_pull_request: 'Open a pull request.' })
const linear = of('linear-mcp-server', {
  save_issue: 'Create or update an issue with a title.',
  list_teams: 'List the teams of the workspace.',
})
const slack = of('slack', {
  post_message: 'Post a message to a channel.',
  list_channels: 'List the channels of the workspace.',
})
const chat = of('Microsoft Teams', {
  send_message: 'Send a message to a person or a channel.',
  list_channels: 'List the channels of a team.',
})
const everyday = [
  ...of('weather', { get_forecast: 'Weather forecast for a city.' }),
  ...of('travel', { find_hotels: 'Find hotels at a location.' }),
  ...of('mail', { send_mail: 'Send an email to a person.' }),
  ...of('words', { translate_text: 'Translate a text into a language.' }),
  ...of('maths', {
    linear_regression: 'Fit a linear regression to points.',
    linear_equation: 'Solve a linear equation.',
    linear_program: 'Solve a linear program.',
    buffer_geometry: 'Buffer a geometry by a distance.',
  }),
]
const notes = [
  ...of('notion', { create_page: 'Create a page with a title.', query_database: 'Query a database.' }),
  ...of('confluence', { create_page: 'Create a page in a space.', search_pages: 'Search pages.' }),
  ...of('google-sheets', { append_rows: 'Append rows to a sheet.', read_cells: 'Read cells of a sheet.' }),
  ...of('excel', { append_rows: 'Append rows to a sheet.', read_cells: 'Read cells of a sheet.' }),
]
const business = [
  ...of('stripe', { create_invoice: 'Create an invoice for a customer.', list_customers: 'List customers.' }),
  ...of('square', { create_invoice: 'Create an invoice for a customer.', list_payments: 'List payments.' }),
  ...of('monday', { create_item: 'Create an item on a board.', list_boards: 'List boards.' }),
  ...of('trello', { create_card: 'Create a card on a board.', list_boards: 'List boards.' }),
  ...of('buffer', { schedule_post: 'Schedule a social media post.', list_profiles: 'List profiles.' }),
  ...of('hootsuite', { schedule_post: 'Schedule a social media post.', list_profiles: 'List profiles.' }),
  ...of('S3', { upload_file: 'Upload a file to a bucket.', list_files: 'List files of a bucket.' }),
  ...of('Dropbox', { upload_file: 'Upload a file to a folder.', list_files: 'List files of a folder.' }),
]

/** Small catalogs, each card of a server. */
export const catalogs = {
  /** One tracker, and everyday tools. */
  gitlab: [...gitlab, ...everyday],
  trackers: [...gitlab, ...github, ...linear, ...everyday],
  office: [...slack, ...chat, ...notes, ...everyday],
  business: [...business, ...everyday],
  /** A catalog with one server. */
  single: gitlab,
} as const
