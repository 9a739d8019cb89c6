import { describe, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { keyOfName } from '../../../src/domain/text/word-rules.ts'
import { afterNames, beforeNames } from '../../../src/retrieval/named-systems/request-words.ts'
import { catalogs } from './catalogs.ts'

type Row = readonly [catalog: keyof typeof catalogs, request: string, first: string | null, missing?: string]

/** Whose card comes first, by the beginning of its id, and which system is told to be missing; null: either may be first. */
const table: { readonly [why: string]: readonly Row[] } = {
  'a system of the catalog is preferred, however it is written': [
    ['trackers', 'create an issue in gitlab', 'gitlab/create_issue'],
    ['trackers', 'create an issue in GitLab', 'gitlab/create_issue'],
    ['trackers', 'create an issue on GitHub', 'GitHub/create_issue'],
    ['trackers', 'create an issue on github', 'GitHub/create_issue'],
    ['trackers', 'create a GitHub issue', 'GitHub/create_issue'],
    ['trackers', 'create a gitlab issue', 'gitlab/create_issue'],
    ['trackers', 'list the open issues from github', 'GitHub/list_issues'],
    ['trackers', 'list the open issues from "gitlab"', 'gitlab/list_issues'],
    ['trackers', 'github list issues', 'GitHub/list_issues'],
    ['trackers', 'open an issue using Git-Hub', 'GitHub/'],
    ['trackers', 'close the issue via GitHub, please', 'GitHub/close_issue'],
    ['trackers', 'in gitlab, close the issue', 'gitlab/close_issue'],
    ['office', 'post a message to slack', 'slack/post_message'],
    ['office', 'post a message in Slack', 'slack/post_message'],
    ['office', 'list the channels on Slack', 'slack/list_channels'],
    ['office', 'create a page in Confluence', 'confluence/create_page'],
    ['office', 'append rows in Excel', 'excel/append_rows'],
    ['office', 'read cells from my excel sheet', 'excel/read_cells'],
    ['business', 'upload a file to S3', 'S3/upload_file'],
    ['business', 'list the files in s3', 'S3/list_files'],
    ['business', 'upload a file to dropbox', 'Dropbox/upload_file'],
    ['business', 'list the files of my Dropbox account', 'Dropbox/list_files'],
    ['business', 'schedule a post with Hootsuite', 'hootsuite/schedule_post'],
    ['business', 'create a card in trello', 'trello/create_card'],
  ],
  'names of several words are known by all, and by the one that is their own': [
    ['office', 'send a message with Microsoft Teams', 'Microsoft Teams/send_message'],
    ['office', 'send a message in microsoft teams', 'Microsoft Teams/send_message'],
    ['office', 'list the channels in Teams', 'Microsoft Teams/list_channels'],
    ['office', 'append rows in google sheets', 'google-sheets/append_rows'],
    ['office', 'append rows to Google Sheets', 'google-sheets/append_rows'],
    ['office', 'read cells from google-sheets', 'google-sheets/read_cells'],
    ['office', 'read cells in GoogleSheets', 'google-sheets/read_cells'],
    ['office', 'append rows to my Google Sheets sheet', 'google-sheets/append_rows'],
  ],
  'a name that is an ordinary word counts where names stand': [
    ['trackers', 'create an issue in linear', 'linear-mcp-server/save_issue'],
    ['trackers', 'create an issue in Linear', 'linear-mcp-server/save_issue'],
    ['trackers', 'update an issue on Linear, please', 'linear-mcp-server/save_issue'],
    ['trackers', 'create an issue in my Linear workspace', 'linear-mcp-server/save_issue'],
    ['trackers', 'Linear: list the teams', 'linear-mcp-server/list_teams'],
    ['trackers', 'list the teams from linear', 'linear-mcp-server/list_teams'],
    ['office', 'create a page in notion', 'notion/create_page'],
    ['office', 'create a page in Notion', 'notion/create_page'],
    ['office', 'query the database in my notion workspace', 'notion/query_database'],
    ['business', 'create an invoice in stripe', 'stripe/create_invoice'],
    ['business', 'create an invoice with Stripe for a customer', 'stripe/create_invoice'],
    ['business', 'create an invoice with Square', 'square/create_invoice'],
    ['business', 'create an invoice in square', 'square/create_invoice'],
    ['business', 'create an item on monday', 'monday/create_item'],
    ['business', 'create an item on Monday', 'monday/create_item'],
    ['business', 'list the boards on monday', 'monday/list_boards'],
    ['business', 'list the boards in Trello', 'trello/list_boards'],
    ['business', 'schedule a post with buffer', 'buffer/schedule_post'],
    ['business', 'schedule a post in Buffer', 'buffer/schedule_post'],
    ['business', 'list profiles from buffer', 'buffer/list_profiles'],
  ],
  'and does not where it is a word as others': [
    ['trackers', 'fit a linear regression to these points', 'maths/linear_regression'],
    ['trackers', 'solve a linear equation', 'maths/linear_equation'],
    ['trackers', 'solve the linear program', 'maths/linear_program'],
    ['trackers', 'Linear regression of these points', 'maths/linear_regression'],
    ['trackers', 'solve an equation in linear time', 'maths/linear_equation'],
    ['business', 'buffer the geometry by ten metres', 'maths/buffer_geometry'],
    ['business', 'Buffer the geometry by a distance', 'maths/buffer_geometry'],
    ['business', 'draw a buffer of a geometry by distance', 'maths/buffer_geometry'],
    ['office', 'I have no notion how to create a page in Confluence', 'confluence/create_page'],
    ['office', 'what is the weather forecast for the city', 'weather/get_forecast'],
  ],
  'in sentences of other languages': [
    ['trackers', 'Erstelle ein Issue in GitHub', 'GitHub/'],
    ['trackers', 'Erstelle ein Issue in Linear', 'linear-mcp-server/save_issue'],
    ['trackers', 'crée une issue dans GitLab', 'gitlab/'],
    ['trackers', 'crear un issue en gitlab', 'gitlab/'],
    ['trackers', 'crea una issue su GitHub', 'GitHub/'],
    ['trackers', '在 GitHub 中创建一个 issue', 'GitHub/'],
    ['trackers', '在GitLab中创建issue', 'gitlab/'],
    ['trackers', 'GitHubでissueを作成して', 'GitHub/'],
    ['office', 'poste un message sur Slack', 'slack/'],
    ['office', 'enviar un mensaje en Slack', 'slack/'],
    ['office', 'schreibe eine Message in Slack', 'slack/'],
  ],
  'a system that is not there is told': [
    ['gitlab', 'create an issue in Jira', 'gitlab/create_issue', 'Jira'],
    ['gitlab', 'create an issue in Linear', 'gitlab/create_issue', 'Linear'],
    ['gitlab', 'create a Jira issue', 'gitlab/create_issue', 'Jira'],
    ['gitlab', 'list the open issues in Jira', 'gitlab/list_issues', 'Jira'],
    ['gitlab', 'list the open issues in my Asana workspace', 'gitlab/list_issues', 'Asana'],
    ['gitlab', 'close the issue on YouTrack', 'gitlab/close_issue', 'YouTrack'],
    ['gitlab', 'create an issue via Redmine', 'gitlab/create_issue', 'Redmine'],
    ['single', 'create an issue in Jira', 'gitlab/create_issue', 'Jira'],
    ['single', 'close the issue in Jira, please', 'gitlab/close_issue', 'Jira'],
    ['office', 'append rows in Airtable', null, 'Airtable'],
    ['business', 'create an invoice in QuickBooks', null, 'QuickBooks'],
    ['business', 'upload a file via Google Drive', null, 'Google Drive'],
    ['business', 'create an invoice using Xero', null, 'Xero'],
  ],
  'places, people, days and things are no systems': [
    ['gitlab', 'what is the weather in Paris', 'weather/get_forecast'],
    ['gitlab', 'weather forecast for Berlin', 'weather/get_forecast'],
    ['gitlab', 'weather forecast in New York', 'weather/get_forecast'],
    ['gitlab', 'find hotels in Madrid', 'travel/find_hotels'],
    ['gitlab', 'find hotels at a location in Oslo for Ann', 'travel/find_hotels'],
    ['gitlab', 'send a mail to Ann', 'mail/send_mail'],
    ['gitlab', 'send an email to Bob', 'mail/send_mail'],
    ['gitlab', 'send an email to John Smith about the issue', 'mail/send_mail'],
    ['gitlab', 'translate the text to French', 'words/translate_text'],
    ['gitlab', 'translate the text from English into German', 'words/translate_text'],
    ['gitlab', 'create an issue with high priority', 'gitlab/create_issue'],
    ['gitlab', 'create an issue on Monday', 'gitlab/create_issue'],
    ['gitlab', 'close the issue in March', 'gitlab/close_issue'],
    ['gitlab', 'create an issue with a title', 'gitlab/create_issue'],
    ['gitlab', 'create an issue in the project', 'gitlab/create_issue'],
    ['gitlab', 'list the issues in a project', 'gitlab/list_issues'],
    ['gitlab', 'list issues in order', 'gitlab/list_issues'],
    ['gitlab', 'create an issue from main.ts', 'gitlab/create_issue'],
    ['gitlab', 'create an issue with PRJ-123', 'gitlab/create_issue'],
    ['gitlab', 'CREATE AN ISSUE IN THE PROJECT', 'gitlab/create_issue'],
    ['gitlab', 'Create An Issue With A Title', 'gitlab/create_issue'],
    ['single', 'create an issue in gitlab', 'gitlab/create_issue'],
    ['single', 'list the open issues', 'gitlab/list_issues'],
    ['office', 'post a message to the channel', null],
    ['office', 'post a message to everyone', null],
    ['business', 'create an invoice for the customer', null],
    ['business', 'upload a file to a folder', null],
    ['business', 'upload the file', null],
    ['business', 'list the boards', null],
    ['business', 'create an invoice', null],
    ['business', '', null],
    ['office', 'in', null],
    ['office', '"', null],
    ['office', 'append rows', null],
  ],
}

const missingIn = (note: string): string | undefined => /No indexed card is of "([^"]+)"/.exec(note)?.[1]

describe.each(Object.entries(table))('%s', (_, rows) => {
  test.each(rows.map((row) => ({ row, name: `${row[0]}: ${row[1]}` })))('of $name', async ({ row }) => {
    const [catalog, query, first, missing] = row
    const learned = await staticModel(builtInModel)
    for (const model of [learned, null]) {
      const snapshot = await memorySnapshot(catalogs[catalog], model)
      const { candidates, match, note } = await search({ snapshot, model }, { kind: 'tool', query })
      // Words alone do not know foreign ones: there the name decides among what is found.
      if (first !== null) expect(candidates[0]?.card.id).toMatch(new RegExp(`^${first}`))
      expect(missingIn(note)).toBe(missing)
      if (missing !== undefined) expect(match).not.toBe('good')
    }
  })
})

test('words with accents are known by the keys that they are looked up by', () => {
  expect(beforeNames.has(keyOfName('über'))).toBe(true)
  expect(afterNames.has(keyOfName('für'))).toBe(true)
})

test('the table has 120 requests', () => {
  expect(Object.values(table).flat().length).toBeGreaterThanOrEqual(120)
})
