import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** `npm run typical-catalog`: writes the tools that `audition findable` ranks a server's own among, of our catalogs for training. */
const root = process.cwd()

/**
 * The servers of somebody who has many, by name: the catalog that their tools are of, and what its tools' names begin with that the server's
 * name says already.
 */
const servers: readonly (readonly [server: string, catalog: string, beginsWith: string, tools: string])[] = [
  [
    'files',
    'browser-desktop',
    '',
    'list_folder create_folder delete_folder search_files read_file write_file copy_file move_file',
  ],
  [
    'git',
    'desk-of-servers',
    '',
    'git-status git-diff git-commit git-log git-branch-create git-branch-switch git-restore',
  ],
  [
    'code-hosting',
    'git-hosting',
    '',
    'create-repository get-file-contents search-code create-branch list-commits open-pull-request merge-pull-request submit-review create-release trigger-workflow',
  ],
  [
    'tracker',
    'project-tracker',
    '',
    'trk_create_issue trk_get_issue trk_search_issues trk_update_issue trk_assign_issue trk_transition_issue trk_create_sprint trk_create_page trk_add_comment trk_log_time',
  ],
  [
    'mail',
    'mail-contacts',
    '',
    'sendMail replyToMail forwardMail listMails searchMails readMail createDraft applyLabel createFilter createContact searchContacts updateContact',
  ],
  [
    'calendar',
    'office-mcp',
    '',
    'create_event list_events update_event delete_event find_free_slots book_meeting_room',
  ],
  [
    'office',
    'office-mcp',
    '',
    'create_document share_file search_drive read_sheet_range write_sheet_range create_presentation create_task list_tasks complete_task',
  ],
  [
    'chat',
    'chat-collab',
    '',
    'create_channel send_message send_direct_message search_messages get_channel_history reply_in_thread schedule_message add_reaction create_poll',
  ],
  [
    'browser',
    'browser-desktop',
    '',
    'open_tab navigate_to get_page_text screenshot_page click_element fill_field submit_form',
  ],
  ['web', 'desk-of-servers', 'web/', 'search news scrape crawl extract'],
  [
    'database',
    'database-console',
    '',
    'listDatabases listTables describeTable createTable alterTable runQuery explainQuery createIndex startBackup restoreBackup',
  ],
  ['cache', 'database-console', '', 'getCacheKey setCacheKey listQueues peekQueueMessages purgeQueue'],
  [
    'cloud-storage',
    'cloud-admin',
    'storage-mcp__',
    'list-buckets create-bucket presign-object-url copy-objects',
  ],
  [
    'cloud-compute',
    'cloud-admin',
    'compute-mcp__',
    'list-instances create-instance stop-instance resize-instance',
  ],
  [
    'containers',
    'container-platform',
    '',
    'run_container_list run_container_logs run_container_exec run_container_restart run_deployment_create run_deployment_scale run_deployment_rollback',
  ],
  ['ci', 'dev-mcp', 'ci.', 'triggerRun listRuns getJobLog cancelRun downloadArtifact'],
  [
    'observability',
    'observability',
    '',
    'obs_search_logs obs_query_metric obs_get_trace obs_create_dashboard obs_create_alert_rule obs_list_firing_alerts obs_acknowledge_alert',
  ],
  [
    'security',
    'security-ops',
    '',
    'list-alerts open-incident block-ip scan-host list-vulnerabilities renew-certificate rotate-secret',
  ],
  [
    'payments',
    'trading-desk',
    '',
    'createTransfer listTransfers getWalletBalance convertCurrency issueCard freezeCard',
  ],
  [
    'crm',
    'crm-marketing',
    '',
    'crm_create_lead crm_search_leads crm_update_lead crm_create_deal crm_list_deals crm_move_deal_stage crm_launch_campaign',
  ],
  [
    'helpdesk',
    'sales-support-ops',
    'desk.',
    'tickets.create tickets.search tickets.reply tickets.assign tickets.close articles.search',
  ],
  [
    'maps',
    'geo-transit',
    '',
    'geocode_address reverse_geocode find_places_nearby get_directions get_travel_time_matrix get_traffic_flow',
  ],
  [
    'travel',
    'hotel-airline',
    '',
    'searchHotels createRoomBooking cancelRoomBooking searchFlights getFlightStatus bookFlight cancelFlightBooking',
  ],
  ['weather', 'open-data-apis', 'skylark_', 'current hourly daily history'],
  [
    'pdf',
    'pdf-office-files',
    '',
    'split_pdf merge_pdfs extract_pdf_text ocr_pdf fill_form_fields convert_to_pdf',
  ],
  [
    'media',
    'audio-video-edit',
    '',
    'trim_video generate_subtitles transcribe_audio convert_image_format resize_image',
  ],
  ['memory', 'desk-of-servers', 'kb__', 'create_note search_notes add_entity link_entities recall forget'],
  ['home', 'home-robot-skills', '', 'setLight setThermostat lockDoor runScene playMedia'],
  [
    'code',
    'code-helpers',
    '',
    'find_definition find_references rename_symbol run_tests lint_file format_file',
  ],
  ['data', 'data-science', '', 'read_table group_aggregate forecast_series plot_line'],
]

type Documented = { readonly name: string; readonly description: string; readonly parameters: object }

const lines = servers.flatMap(([server, catalog, beginsWith, tools]) => {
  const folder = resolve(root, 'embeddings', 'trainer', 'data', 'tools', `own-${catalog}`)
  const known = new Map(
    readFileSync(resolve(folder, 'tools.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly documentation: Documented }).documentation)
      .map((tool) => [tool.name, tool]),
  )
  return tools.split(' ').map((name) => {
    const tool = known.get(beginsWith + name)
    if (tool === undefined) throw new Error(`${folder}: no tool "${beginsWith}${name}"`)
    return JSON.stringify({ server, name, description: tool.description, inputSchema: tool.parameters })
  })
})
const file = resolve(root, 'evals', 'typical', 'tools.jsonl')
writeFileSync(file, `${lines.join('\n')}\n`)
process.stdout.write(`${file}: ${lines.length} tools of ${servers.length} servers\n`)
