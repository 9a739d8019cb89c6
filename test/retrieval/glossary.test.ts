import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardInEnglish } from '../../src/retrieval/glossary/card-in-english.ts'
import { clausesAsWritten } from '../../src/retrieval/glossary/clauses-as-written.ts'
import { englishOf } from '../../src/retrieval/glossary/english-of.ts'
import { foldForm } from '../../src/retrieval/glossary/fold-form.ts'
import { formsOf, glossaryFrom, glossaryOf, latinLanguages } from '../../src/retrieval/glossary/glossary.ts'
import { piecesOf } from '../../src/retrieval/glossary/words-without-spaces.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { splitRequest } from '../../src/retrieval/query/facets.ts'
import { textsOfRequest } from '../../src/retrieval/search/request-texts.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { lightStem } from '../../src/retrieval/text/analyze.ts'
import { hashedWordsModel } from '../fakes/hashed-words-model.ts'
import { toolCard } from '../fakes/sample-cards.ts'

const languages = [...latinLanguages, 'zh', 'ja', 'ko', 'ru', 'ar'] as const

describe('the steps of a request of another language', () => {
  const stepsOf = (request: string) =>
    splitRequest(textsOfRequest({ kind: 'tool', query: request }).text).steps.length
  test.each([
    'Berechne 17 Prozent von 250 | und addiere dann drei Wochen zum 1. Mai 2024',
    'Rechne 17 Prozent von 250 aus, | dann sage mir, wann drei Wochen vorbei sind',
    'Erstelle ein Issue für den Fehler beim Anmelden | und schicke dem Team eine E-Mail mit dem Link',
    'Lies die CSV-Datei, | summiere die Spalte Betrag | und erzeuge ein Diagramm',
    'Suche mir einen Flug nach Rom, | buche ein Hotel | und trage die Reise in meinen Kalender ein',
    'Bitte den Bericht zusammenfassen | und an Anna senden',
    'Flug nach Rom buchen | und Hotel reservieren',
    'Erstelle Tickets | und sende E-Mails an das Team',
    'Lösche alte Dateien, | komprimiere den Rest | und lade alles hoch',
    'Wie viel sind 20 Prozent von 80? | Und welcher Wochentag ist der 3. Juni 2025?',
    'Calcule 17 por ciento de 250 | y luego suma tres semanas al 1 de mayo',
    'Lee el archivo, | suma la columna | y crea un gráfico',
    'Calcule 17 pour cent de 250 | puis ajoute trois semaines au 1er mai',
    'Trouve un vol pour Rome, | réserve un hôtel | et envoie le reçu à Anna',
  ])('are those of its own grammar: %s', (marked) => {
    const parts = marked.split(' | ')
    const request = parts.join(' ')
    expect(stepsOf(request)).toBe(parts.length)
    const bare = parts.map((part) =>
      part.replace(/,$/, '').replace(/^(?:und|dann|y|luego|puis|et) (?:luego )?/i, ''),
    )
    const written = clausesAsWritten(request)
    if (written.length === parts.length) expect(written).toEqual(bare)
  })

  test.each([
    'Finde große und kleine Dateien im Ordner',
    'Zeige offene und geschlossene Tickets',
    'Suche nach neuen und offenen Issues',
    'Wie wird das Wetter morgen in Berlin und Hamburg?',
    'Trouve les fichiers et les dossiers',
    'Busca archivos y carpetas',
  ])('are no lists of things: %s', (request) => {
    expect(stepsOf(request)).toBe(1)
    expect(clausesAsWritten(request)).toEqual([request])
  })

  test('a card is put into English as it was', () => {
    expect(englishOf('Berechne Prozente und addiere drei Wochen')).not.toMatch(/please|;/)
  })
})

describe('a request of another language', () => {
  test.each([
    ['Schick die Rechnung an den Kunden', ['send', 'invoice', 'customer']],
    ['welche Flugverbindungen gibt es nach Rom', ['flight', 'rome']],
    ['beste Filme aller Zeiten nach Stimmen', ['best', 'movies']],
    ['Wetter Berlin', ['weather', 'berlin']],
    ['lösche den Kalendereintrag von morgen', ['delete', 'calendar', 'tomorrow']],
    ['quelle est la météo à Lyon demain', ['weather', 'tomorrow']],
    ["envoie l'e-mail au fournisseur", ['send', 'email', 'supplier']],
    ['busca un vuelo barato para el lunes', ['search', 'flight', 'cheap', 'monday']],
    ['cria uma fatura para o cliente', ['create', 'invoice', 'customer']],
    ['prenota un tavolo al ristorante', ['book', 'table', 'restaurant']],
    ['把这张图片翻译成英文', ['picture', 'translate']],
    ['發送電子郵件給客戶', ['send', 'email', 'customer']],
    ['我6月30日搬出，下周二开会', ['june', '30', 'tuesday']],
    ['3월 5일 회의 예약', ['march', '5', 'meeting']],
    ['明日の会議を予約して', ['tomorrow', 'meeting', 'book']],
    ['내일 회의를 예약해줘', ['tomorrow', 'book']],
    ['найди самый дешёвый отель в Париже', ['find', 'hotel', 'paris']],
    ['сколько стоит следующая доставка', ['how', 'next', 'delivery']],
    ['mándaselo al cliente', ['send', 'to', 'customer']],
    ['وما حالة الطلب', ['what', 'status']],
    ['ابحث عن فندق رخيص', ['hotel', 'cheap']],
  ])('%s', (request, words) => {
    const said = (englishOf(request)?.toLowerCase().split(/\W+/) ?? []).map(lightStem)
    for (const word of words) expect(said, said.join(' ')).toContain(lightStem(word))
  })

  test.each([
    ['Erstelle ein Ticket in Jira für "login fails on iOS"', ['Jira', '"login fails on iOS"']],
    [
      'abre https://example.org/a?b=1 y guarda informe_2024.pdf',
      ['https://example.org/a?b=1', 'informe_2024.pdf'],
    ],
    ['GitHubの issue #42 を閉じて', ['GitHub', '#42']],
    ['купи 5 NFLX на Bybit', ['5', 'NFLX', 'Bybit']],
    ['fusionne la branche fix/porte-verte dans main', ['fix/porte-verte', 'main']],
    ['übersetze „Wo ist der Bahnhof“ ins Englische', ['„Wo ist der Bahnhof“']],
    ['invia la fattura a Rosa Bianchi', ['Rosa', 'Bianchi']],
    ['réponds au ticket de Pierre', ['Pierre']],
    ['Starte den Job kunden-import auf dem Server', ['kunden-import']],
    ['poste le clip sur insta', ['insta']],
    ['Schreibe eine Mail an Frau Schneider', ['Schneider']],
    ['Wie wird das Wetter morgen in Essen?', ['Essen']],
  ])('keeps names and codes: %s', (request, kept) => {
    for (const piece of kept) expect(englishOf(request)).toContain(piece)
  })
})

describe('a short request', () => {
  test.each([
    ['Hänge die Datei an die Mail an', /^attach/],
    ['Leg die Maschine schlafen', /machine/],
    ['Schreib Tests für die Klasse Warenkorb', /tests? for class/],
    ['Löse die Gleichung 3x + 5 = 20', /^solve/],
    ['Musées gratuits à Paris', /^museum free/],
    ['Corta os primeiros dez segundos do vídeo', /first ten seconds/],
    ['Separa as páginas 4 a 9', /^separate .*pages 4/],
    ['Cancela a newsletter', /^cancel/],
    ['A che punto è lo sprint', /^progress/],
  ])('is told from English and from its neighbours: %s', (request, english) => {
    expect(englishOf(request)).toMatch(english)
  })
})

describe('a German verb apart from its particle', () => {
  test.each([
    ['Lade die Präsentation in unser Sharepoint hoch', /^upload .*Sharepoint$/],
    ['Räum den Code auf und entferne Doppeltes', /^tidy clean up code and remove/],
    ['Sage die Besprechung am Montag ab', /^cancel .*meeting/],
    ['Der Server läuft seit gestern an der Grenze', /runs/],
  ])('%s', (request, english) => {
    expect(englishOf(request)).toMatch(english)
  })
})

test('says no word twice that both languages have', () => {
  expect(englishOf('Wandle den Text aus dem Video um')).toBe('convert text from video')
})

test('an ending of Korean is not the word that it is elsewhere', () => {
  expect(englishOf('이름 바꾸고 저장')).not.toMatch(/high/)
})

describe('English', () => {
  test.each([
    'list all open pull requests',
    "what's the user's balance",
    'kubectl logs',
    'resume the pipeline and die on error',
    'come on, sale prices per item',
    'convert 20 USD to EUR',
    'forecast for San Jose and La Rochelle',
    'pro rata refund',
    'per capita income',
    'alias',
    'locations',
    'eta of the parcel',
    'explain the word 元気 to me in short',
    'restart api-es-2',
    'send a letter to Juana de la Fuente',
    'invoice Casa do Livro, Rua da Prata 12',
    'a table at Le Grand Chat sur la Rue de Lyon',
    "post 'das ist gut' to the channel",
    'restaurant reservation table',
    '',
    '12345 !!',
    'résumé builder',
    'find a café near me',
    'iOS version of the app',
    'a sign of Arabic that is no letter: ۞',
    '۞',
  ])('"%s" stays as it is', (request) => {
    expect(englishOf(request)).toBeUndefined()
  })

  test('so do cards', () => {
    const card = toolCard({ name: 'send_mail', description: 'Sends a mail to a person.' })
    expect(cardInEnglish(card)).toBe(card)
  })
})

test('a card of another language is found in English too, and keeps its own words', () => {
  const card = toolCard({ name: 'rechnung', description: 'Erstellt eine Rechnung für einen Kunden.' })
  const { description } = cardInEnglish(card)
  expect(description).toContain('Erstellt eine Rechnung')
  expect(description).toMatch(/invoice/)
})

describe('letters without spaces', () => {
  const glossary = glossaryFrom([
    ['weather', ['天气']],
    ['forecast', ['预报']],
    ['sky', ['天']],
    ['weather forecast', ['天气预报']],
  ])
  test('fall into the fewest and longest forms', () => {
    expect(piecesOf('北京天气预报', glossary)).toEqual(['北京', '天气预报'])
    expect(piecesOf('天气和预报', glossary)).toEqual(['天气', '和', '预报'])
  })

  test('together are the letters', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('天', '气', '预', '报', '北')), (letters) => {
        expect(piecesOf(letters.join(''), glossary).join('')).toBe(letters.join(''))
      }),
    )
  })
})

test('words that cards use stay beside their English', () => {
  const isKept = (word: string): boolean => ['rechnung', '天气', '喵'].includes(word.toLowerCase())
  expect(englishOf('schick die Rechnung', isKept)).toMatch(/Rechnung \w*invoice|Rechnung .*invoice/)
  expect(englishOf('天气喵', isKept)).toBe('天气 weather 喵')
})

test('an inflected word is looked up by the form that differs least in its ending', () => {
  const glossary = glossaryFrom([
    ['invoice', ['rechnung']],
    ['computer', ['rechner']],
    ['-', ['rechts']],
  ])
  expect(glossary.nearly('rechnungen')).toEqual(['invoice'])
  expect(glossary.nearly('rechners')).toEqual(['computer'])
  expect(glossary.nearly('rech')).toBeUndefined()
  expect(glossary.exactly('rechts')).toEqual([])
})

test('any text is read without failing', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void englishOf(text)))
})

test.each(languages)('the glossary of %s tells its small words apart and says nothing twice', (language) => {
  const { functionWords, english, exactly } = glossaryOf(language)
  const known = formsOf(language)
  expect([...known].filter((form) => exactly(form) === undefined)).toEqual([])
  expect(english.size).toBeGreaterThan(5000)
  const lines = readFileSync(`embeddings/glossary/${language}.tsv`, 'utf8').trim().split('\n')
  for (const line of lines) {
    const [said, forms, ...more] = line.split('\t')
    expect([said, forms, more], line).toEqual([expect.stringMatching(/./), expect.stringMatching(/./), []])
    const each = forms!.split('|')
    expect(new Set(each).size, line).toBe(each.length)
    expect(each.filter((form) => !known.has(foldForm(form)))).toEqual([])
    if (said!.startsWith('-'))
      for (const form of each) expect(functionWords.has(foldForm(form)), form).toBe(true)
  }
})

describe('a search', () => {
  const cards = [
    toolCard({ id: 'shop/bill', name: 'bill', description: 'Sends an invoice to a customer.' }),
    toolCard({ id: 'kasse/beleg', name: 'beleg', description: 'Druckt eine Quittung für einen Kunden.' }),
  ]

  test('gives models the request as it was written and its English, and cards of other languages too', async () => {
    const model = hashedWordsModel()
    const snapshot = await memorySnapshot(cards, model)
    const documents = model.embedded.map(({ text }) => text)
    expect(documents.find((text) => text.includes('Quittung'))).toMatch(/receipt/)
    const { readAs, candidates } = await search(
      { snapshot, model },
      { kind: 'tool', query: 'Rechnung an den Kunden schicken' },
    )
    const asked = model.embedded.filter(({ role }) => role === 'query').map(({ text }) => text)
    expect(asked[0]).toMatch(/^Rechnung an den Kunden schicken .*invoice/)
    expect(readAs).toMatch(/invoice/)
    expect(candidates[0]?.card.id).toBe('shop/bill')
  })

  test('finds a card of another language by English words', async () => {
    const snapshot = await memorySnapshot(cards)
    const { readAs, candidates } = await search(
      { snapshot, model: null },
      { kind: 'tool', query: 'print a receipt' },
    )
    expect(candidates[0]?.card.id).toBe('kasse/beleg')
    expect(readAs).toBeUndefined()
  })
})
