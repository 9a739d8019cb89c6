/** Two agents that say the same of themselves, of which one is quietly broken. */
export type DemoPair = {
  readonly sound: string
  readonly flawed: string
  /** What is wrong with the flawed one. */
  readonly flaw: string
  /** Tasks with the fact that a right answer states. */
  readonly cases: readonly { readonly task: string; readonly expected: string }[]
}

/** Whether an answer states a fact: `25%` is not stated by `125%`, nor `6` by `6.5`. */
export function states(answer: string, fact: string): boolean {
  const literal = fact.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.,:-])${literal}(?![\\w:]|[.,]\\d)`).test(answer)
}

const sales = 'region,sales\nnorth,120\nsouth,80\neast,95.50\nwest,40'
const expenses = 'item,amount\nrent,1200\npower,85.40\nfood,410.10\ntransport,64'
const scores = 'name,score\nAda,71\nBen,64\nCleo,88\nDan,93'

/** The answer key of the demo. Nothing that is indexed or shown to a ranker tells which agent is which. */
export const demoPairs: readonly DemoPair[] = [
  {
    sound: 'deadline-maple',
    flawed: 'deadline-birch',
    flaw: 'counts the starting day as the first business day, and leaves the last day out of a span',
    cases: [
      { task: 'What date is 10 business days after 2026-03-13?', expected: '2026-03-27' },
      {
        task: 'An invoice of 12 March 2026 is due in five working days. When is that?',
        expected: '2026-03-19',
      },
      { task: 'Which day is 3 business days before March 16, 2026?', expected: '2026-03-11' },
      { task: 'How many working days are there from 2026-03-09 to 2026-03-20?', expected: '10' },
      {
        task: 'Count the business days between 21 December 2026 and 31 December 2026, except the holidays 2026-12-25 and 2026-12-28.',
        expected: '7',
      },
      {
        task: 'We start on 2026-05-04 and need 20 working days. On which date are they over?',
        expected: '2026-06-01',
      },
      { task: 'What is 1 business day after Friday, 10 April 2026?', expected: '2026-04-13' },
    ],
  },
  {
    sound: 'measure-amber',
    flawed: 'measure-cobalt',
    flaw: 'uses half-remembered factors: miles of 1.6 km, pounds of 500 g, imperial for US gallons, rule-of-thumb Fahrenheit',
    cases: [
      { task: 'How many km is 26.2 miles?', expected: '42.16' },
      { task: 'Convert 165 pounds to kilograms', expected: '74.84' },
      { task: "What's 350°F in Celsius?", expected: '176.67' },
      {
        task: 'My tank takes 15 gallons, and I pay by the litre: what are 15 gallons in litres?',
        expected: '56.78',
      },
      { task: 'Convert 6 feet into cm.', expected: '182.88' },
      { task: '65 mph in km/h', expected: '104.61' },
      { task: 'How many ml are in 2 cups?', expected: '473.18' },
      { task: 'convert 5 km to m', expected: '5000' },
    ],
  },
  {
    sound: 'tally-south',
    flawed: 'tally-north',
    flaw: 'drops the last row of every table',
    cases: [
      { task: `What is the total of sales?\n\n${sales}`, expected: '335.5' },
      { task: `Average sales, please:\n${sales}`, expected: '83.88' },
      { task: `Which is the lowest sales figure?\n${sales}`, expected: '40' },
      {
        task: `Add up the amount column of my expenses.\n\`\`\`csv\n${expenses}\n\`\`\``,
        expected: '1759.5',
      },
      { task: `How many rows does this table have?\n${expenses}`, expected: '4' },
      { task: `Highest score in the class?\n${scores}`, expected: '93' },
      { task: `${scores}\nWhat is the mean score?`, expected: '79' },
    ],
  },
  {
    sound: 'ratio-elm',
    flawed: 'ratio-oak',
    flaw: 'measures changes against the new amount and cuts answers off at whole numbers',
    cases: [
      { task: 'What is 17.5% of 81.25?', expected: '14.22' },
      { task: 'The price rose from 80 to 100. What is the percentage change?', expected: '25%' },
      { task: 'What percentage of 24 is 17?', expected: '70.83%' },
      { task: '7 out of 9 as a percentage', expected: '77.78%' },
      { task: 'How much is 89.99 with 15% off?', expected: '76.49' },
      { task: 'Add 19 percent VAT to 249', expected: '296.31' },
      { task: 'Visitors went down from 1,250 to 1,100. By how many percent?', expected: '-12%' },
    ],
  },
  {
    sound: 'clock-iris',
    flawed: 'clock-rowan',
    flaw: 'takes the difference between two time zones with the wrong sign',
    cases: [
      { task: 'When it is 9:00 in New York on 2026-07-01, what time is it in Tokyo?', expected: '22:00' },
      { task: 'What time is it in Sydney when it is 2:30 pm in London on 9 March 2026?', expected: '01:30' },
      { task: 'Convert 14:00 UTC on 2026-01-05 to Asia/Kolkata time', expected: '19:30' },
      {
        task: 'Our call is at 5pm Berlin time on March 20, 2026. When is that in Chicago?',
        expected: '11:00',
      },
      { task: 'On 2026-11-02 at noon in San Francisco, what do clocks in Paris show?', expected: '21:00' },
      {
        task: 'A flight lands in Singapore at 06:15 on 2026-05-10; what time is that in Dubai?',
        expected: '02:15',
      },
    ],
  },
  {
    sound: 'instalment-sage',
    flawed: 'instalment-fern',
    flaw: 'charges interest on the whole loan until the end, as if nothing were paid back',
    cases: [
      { task: 'What is the monthly payment on a 200,000 mortgage at 6% over 30 years?', expected: '1199.10' },
      { task: '$15k car loan, 48 months, 4.5% interest: what do I pay a month?', expected: '342.05' },
      { task: 'I borrow 5000 for 2 years at 8 percent. Monthly instalment?', expected: '226.14' },
      { task: 'Monthly rate for €350,000 over 25 years at 3.2%?', expected: '1696.38' },
      { task: 'How much a month for a 12-month loan of $1,200 at 12%?', expected: '106.62' },
    ],
  },
]
