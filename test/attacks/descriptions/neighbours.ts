import type { Neighbour } from '../../../src/trust/scan/scan-cards.ts'

/** Names of well-known servers that a user may already have, for look-alikes of the corpus. */
export const neighbours: readonly Neighbour[] = [
  'search_issues',
  'github_search',
  'create_issue',
  'create_branch',
  'git_push',
  'list_commits',
  'read_file',
  'write_file',
  'filesystem_read',
  'edit_file',
  'list_directory',
  'search_files',
  'slack_send_message',
  'send_email',
  'postgres_query',
  'run_query',
  'paypal_refund',
  'get_weather',
  'fetch_url',
  'web_search',
  'browser_click',
  'create_page',
  'translate_text',
  'get_current_time',
].map((name) => ({ id: `known/${name}`, name, source: 'known' }))
