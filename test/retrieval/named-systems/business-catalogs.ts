import type { Card } from '../../../src/domain/card.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

/** Tools of one server: a name, a description, and what it takes. */
type Tool = readonly [name: string, description: string, parameters: string, title?: string]

const of = (server: string, tools: readonly Tool[]): readonly Card[] =>
  tools.map(([name, description, parameters, title]) =>
    toolCard(`${server}/${name}`, {
      name,
      description,
      server,
      ...(title === undefined ? {} : { title }),
      parameters: parameters.split(' ').map((own) => ({ name: own, description: '', required: true })),
    }),
  )

const weather = of('weather', [
  ['get_forecast', 'Weather forecast for a city: rain, wind and temperature.', 'city days'],
  ['current_weather', 'What the weather is now at a location.', 'location'],
])
const travel = of('travel', [
  ['find_hotels', 'Find hotels at a location.', 'location nights'],
  ['search_flights', 'Search flights between two cities and book one.', 'origin destination date'],
  ['search_trains', 'Search trains between two stations.', 'origin destination'],
  ['find_places', 'Find restaurants, museums and other places near a location.', 'location kind'],
  ['get_directions', 'Directions from one place to another.', 'from to'],
])
const mail = of('mail', [
  ['send_mail', 'Send an email to a person.', 'recipient subject body'],
  ['read_mail', 'Read the latest emails of the inbox.', 'folder'],
])
const calendar = of('calendar', [
  ['schedule_meeting', 'Schedule a meeting with people at a time.', 'attendees start'],
  ['set_reminder', 'Remind me of something at a time.', 'text time'],
])
const home = of('home', [
  ['translate_text', 'Translate a text into another language.', 'text language'],
  ['convert_units', 'Convert a quantity between units or currencies.', 'value from to'],
  ['search_recipes', 'Find recipes with ingredients.', 'ingredients'],
  ['play_music', 'Play songs of an artist.', 'artist'],
  ['search_books', 'Find books on a subject.', 'subject'],
  ['read_news', 'The latest news about a topic.', 'topic'],
  ['call_contact', 'Call somebody of the address book.', 'name'],
])
const everyday = [...weather, ...travel, ...mail, ...calendar, ...home]

const gitlab = of('gitlab', [
  ['create_issue', 'Create a new issue with a title and a body.', 'title project'],
  ['list_issues', 'List the open issues of a project.', 'project'],
  ['assign_issue', 'Assign an issue to a person, or link it to another.', 'issue assignee'],
  ['close_issue', 'Close an issue.', 'issue'],
])
const tasks = of('todo-lists', [
  ['add_task', 'Add a task with a due date, a priority and an assignee.', 'title due'],
  ['list_tasks', 'List the tasks of a person.', 'assignee'],
  ['move_task', 'Move a task to another column of the board.', 'task column'],
])
const wiki = of('notion', [
  ['create_page', 'Create a page with a title.', 'title'],
  ['search_pages', 'Search the pages of the workspace.', 'query'],
])
const desk = of('support-desk', [
  ['create_ticket', 'Open a support ticket for a customer.', 'subject customer'],
  ['list_tickets', 'List tickets by status.', 'status'],
  ['reply_ticket', 'Reply to a ticket or a conversation.', 'ticket text'],
  ['assign_ticket', 'Assign or escalate a ticket to a person or a team.', 'ticket assignee'],
  ['close_ticket', 'Close a ticket.', 'ticket'],
])
const crm = of('crm', [
  ['create_contact', 'Create a contact or a lead.', 'name company'],
  ['update_contact', 'Update a contact.', 'contact'],
  ['find_contacts', 'Find and export contacts, leads and customers.', 'query'],
  ['list_deals', 'List the deals of the pipeline.', 'stage'],
  ['update_deal', 'Create or update a deal.', 'deal'],
  ['send_campaign', 'Send a mail campaign to contacts.', 'list'],
])
const chat = of('team-chat', [
  ['post_message', 'Post a message to a channel or send it to a person.', 'channel text'],
  ['list_channels', 'List the channels of the workspace.', 'limit'],
  ['create_channel', 'Create a channel.', 'name'],
  ['search_messages', 'Read and search messages.', 'query from'],
])
const money = of('stripe', [
  ['create_invoice', 'Create an invoice for a customer and send it.', 'customer amount currency'],
  ['list_invoices', 'List the invoices.', 'customer'],
  ['create_payment_link', 'Create a link for a payment.', 'amount'],
  ['charge_customer', 'Charge a customer, take a payment.', 'customer amount'],
  ['refund_payment', 'Refund a payment.', 'payment'],
  ['list_payments', 'List payments, payouts and disputes.', 'from to'],
  ['list_subscriptions', 'List the subscriptions of customers.', 'customer'],
])
const cloud = of('aws', [
  ['list_instances', 'List the running instances of a region.', 'region'],
  ['restart_service', 'Restart an instance, an app or a service.', 'service'],
  ['deploy_service', 'Deploy a project, an app or a service to an environment.', 'service environment'],
  ['upload_file', 'Upload or copy a file to a bucket or folder.', 'path bucket'],
  ['delete_file', 'Delete a file.', 'path'],
  ['create_bucket', 'Create a bucket in a region, or list buckets.', 'name region'],
  ['get_logs', 'Download logs and errors of a service.', 'service'],
])
/** Servers whose tools say by their names, titles or descriptions whose they are. */
const mixed = [
  ...of('chat-tools', [
    ['slack_post_message', 'Post a message to a channel.', 'channel text'],
    ['slack_list_channels', 'List the channels.', 'limit'],
    ['telegram_send_message', 'Send a message to a chat.', 'chat text'],
  ]),
  ...of('project-bundle', [
    ['create_issue', 'Create an issue with a title.', 'title', 'Jira: create an issue'],
    ['search_issues', 'Search the issues of a project.', 'query', 'Jira: search issues'],
    ['boards', 'Lists the boards.', 'limit', 'Trello boards'],
  ]),
  ...of('acme-hub', [
    ['create_invoice', 'Create an invoice in Stripe for a customer.', 'customer'],
    ['find_contact', 'Finds a contact in HubSpot by name or mail address.', 'name'],
  ]),
]

/** Small catalogs of single trades, with tools of every day beside them. */
export const businessCatalogs = {
  everyday,
  work: [...gitlab, ...tasks, ...wiki, ...everyday],
  support: [...desk, ...everyday],
  sales: [...crm, ...everyday],
  chat: [...chat, ...everyday],
  money: [...money, ...everyday],
  cloud: [...cloud, ...everyday],
  mixed: [...mixed, ...everyday],
} as const
