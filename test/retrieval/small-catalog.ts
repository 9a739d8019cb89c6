import type { Card, Parameter } from '../../src/domain/card.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'

const parameter = (name: string, description: string): Parameter => ({ name, description, required: true })
const runtime = { kind: 'http', method: 'GET', url: 'https://api.example/' } as const

const tools: readonly Card[] = [
  toolCard('forge/list_issues', {
    description: 'List the issues of a repository, the open ones first.',
    parameters: [parameter('repository', 'Owner and name'), parameter('state', 'open, closed or all')],
    server: 'forge',
    tags: ['issues'],
    annotations: { readOnly: true },
    runtime,
  }),
  toolCard('forge/create_issue', {
    description: 'Create an issue in a repository.',
    parameters: [parameter('repository', 'Owner and name'), parameter('title', 'Headline of the issue')],
    server: 'forge',
    tags: ['issues'],
    annotations: { readOnly: false },
    runtime,
  }),
  toolCard('forge/close_issue', {
    description: 'Close an issue with a comment.',
    server: 'forge',
    tags: ['issues'],
    annotations: { readOnly: false },
    runtime,
  }),
  toolCard('forge/getUserById', {
    description: 'Profile of an account: full name, company and join date.',
    parameters: [parameter('userId', 'Number of the account')],
    server: 'forge',
    annotations: { readOnly: true },
    runtime,
  }),
  toolCard('hub/github_search', {
    title: 'GitHub search',
    description: 'Search code, issues and people on GitHub.',
    server: 'hub',
    tags: ['issues', 'code'],
    annotations: { readOnly: true },
  }),
  toolCard('sky/get_forecast', {
    description: 'Weather forecast for a city: temperature, rain and wind for seven days.',
    parameters: [parameter('city', 'Name of the city')],
    server: 'sky',
    tags: ['weather'],
    annotations: { readOnly: true },
    examples: ['Will I need an umbrella in Oslo?'],
  }),
  toolCard('sky/get_tides', {
    description: 'Times of high and low water at a harbour.',
    server: 'sky',
    tags: ['weather', 'sea'],
    annotations: { readOnly: true },
  }),
  toolCard('mirror/get_forecast', {
    description: 'Weather forecast for a city: temperature, rain and wind for seven days.',
    parameters: [parameter('city', 'Name of the city')],
    server: 'mirror',
  }),
  toolCard('money/convert_currency', {
    description: 'Convert an amount from one currency to another at the rate of the day.',
    parameters: [parameter('amount', 'How much'), parameter('from', 'Currency code, for example EUR')],
    tags: ['finance'],
  }),
  toolCard('money/split_bill', { description: 'Split a bill among friends and round the shares.' }),
  toolCard('post/send_email', {
    description: 'Send an email with attachments to one or more people.',
    parameters: [parameter('to', 'Addresses'), parameter('subject', 'Subject line')],
    tags: ['mail'],
    annotations: { readOnly: false },
    runtime,
  }),
  toolCard('post/search_inbox', {
    description: 'Search the mails of an inbox by sender, subject or date.',
    tags: ['mail'],
    annotations: { readOnly: true },
    runtime,
  }),
  toolCard('media/mp3_to_wav', { description: 'Convert an mp3 recording to a wav file.' }),
  toolCard('media/youtube_transcript', { description: 'Fetch the transcript of a YouTube video.' }),
  toolCard('media/extract_text', { description: 'Read the text of a scanned PDF or photo (OCR).' }),
  toolCard('trip/book_flight', { description: 'Book a flight between two airports on a date.' }),
  toolCard('trip/reserve_hotel', { description: 'Reserve a hotel room in a city for some nights.' }),
  toolCard('shop/deploy_rocket', { title: '🚀 Deploy', description: 'Ship a service to production.' }),
  toolCard('zh/查询天气', { description: '查询城市的天气预报和空气质量。', tags: ['天气'] }),
  toolCard('zh/翻译文本', { description: '把文本翻译成另一种语言。' }),
  toolCard('ru/прогноз', { description: 'Прогноз погоды в городе на неделю.' }),
  toolCard('ru/перевод', { description: 'Перевод текста на другой язык.' }),
  toolCard('ar/الطقس', { description: 'حالة الطقس في مدينة خلال الأسبوع.' }),
  toolCard('ar/ترجمة', { description: 'ترجمة النصوص إلى لغة أخرى.' }),
  toolCard('ko/날씨', { description: '도시의 날씨 예보.' }),
  toolCard('th/พยากรณ์', { description: 'พยากรณ์อากาศของเมือง' }),
]

const agents: readonly Card[] = [
  agentCard('team/lease-reviewer', {
    title: 'Lease reviewer',
    description: 'Reviews leases and lists the risky clauses.',
    tags: ['legal'],
    examples: ['Check this rental contract for traps'],
    runtime: { kind: 'profile', file: '/home/someone/lease-reviewer.yaml' },
  }),
  agentCard('team/bug-hunter', {
    agentKind: 'subagent',
    description: 'Finds the cause of a failing test and mends it.',
    instructions: 'You reproduce the failure first, then read the stack trace and bisect the commits.',
  }),
  agentCard('team/trip-planner', {
    agentKind: 'a2a',
    description: 'Plans journeys.',
    tools: [
      { name: 'book_flight', id: 'trip/book_flight' },
      { name: 'reserve_hotel', id: 'trip/reserve_hotel' },
    ],
  }),
  agentCard('forge/forge', {
    agentKind: 'toolkit',
    description: 'Everything around a code forge.',
    tools: [
      { name: 'list_issues', id: 'forge/list_issues' },
      { name: 'create_issue', id: 'forge/create_issue' },
    ],
  }),
  agentCard('store/poet', { agentKind: 'listing', description: 'Writes poems and songs about the sea.' }),
  agentCard('store/clerk', {
    agentKind: 'listing',
    description: 'Files papers.',
    tools: [{ name: 'ocr', id: 'media/extract_text' }],
  }),
]

/** Tools and agents of our own making: several sources, languages and kinds, one tool listed twice. */
export const smallCatalog: readonly Card[] = [...tools, ...agents]
