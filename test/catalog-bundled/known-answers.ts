import type { ServerName } from './built-catalog.ts'

/** A call and the part of its structured result that is known from elsewhere. */
export type KnownAnswer = {
  readonly tool: string
  readonly input: { readonly [argument: string]: unknown }
  readonly answer: { readonly [field: string]: unknown }
}

const people = 'name,city,age\nAda,Paris,36\nBob,Rome,41\nCleo,Paris,29'

/** Every tool of every bundled server, at least once. */
export const knownAnswers: { readonly [server in ServerName]: readonly KnownAnswer[] } = {
  'audition-arithmetic': [
    { tool: 'evaluate_expression', input: { expression: '2 * (3 + 4)^2 - 10%' }, answer: { value: 97.9 } },
    {
      tool: 'evaluate_expression',
      input: { expression: 'round(net * 1.19, 2)', variables: { net: 10.5 } },
      answer: { value: 12.5 },
    },
    {
      tool: 'calculate_fraction',
      input: { left: '1 1/2', operator: '/', right: '3/4' },
      answer: { fraction: '2', mixed: '2', decimal: 2 },
    },
    {
      tool: 'factorize',
      input: { value: 360 },
      answer: {
        isPrime: false,
        factors: [
          { prime: 2, exponent: 3 },
          { prime: 3, exponent: 2 },
          { prime: 5, exponent: 1 },
        ],
      },
    },
    { tool: 'factorize', input: { value: 999_999_999_989 }, answer: { isPrime: true } },
    { tool: 'common_divisor_and_multiple', input: { numbers: [12, 18] }, answer: { gcd: '6', lcm: '36' } },
    { tool: 'count_choices', input: { total: 49, chosen: 6 }, answer: { combinations: '13983816' } },
    {
      tool: 'convert_base',
      input: { value: '0xff', fromBase: 16, toBase: 2 },
      answer: { value: '11111111' },
    },
    {
      tool: 'convert_roman_numeral',
      input: { value: 'MCMXCIV' },
      answer: { number: 1994, roman: 'MCMXCIV' },
    },
    { tool: 'convert_roman_numeral', input: { value: '2026' }, answer: { number: 2026, roman: 'MMXXVI' } },
    {
      tool: 'convert_unit',
      input: { value: 26.2, from: 'miles', to: 'km' },
      answer: { value: 42.1648128, from: 'mi', to: 'km', dimension: 'length' },
    },
    { tool: 'convert_unit', input: { value: 32, from: 'F', to: 'C' }, answer: { value: 0 } },
    { tool: 'convert_unit', input: { value: 1, from: 'uk pint', to: 'ml' }, answer: { value: 568.26125 } },
    {
      tool: 'list_units',
      input: { dimension: 'temperature' },
      answer: { units: [{ symbol: 'K' }, { symbol: 'C' }, { symbol: 'F' }] },
    },
    {
      tool: 'percentage_change',
      input: { from: 80, to: 100 },
      answer: { percent: 25, difference: 20, factor: 1.25 },
    },
    {
      tool: 'percent_of',
      input: { percent: 19, amount: 250 },
      answer: { part: 47.5, increased: 297.5, decreased: 202.5 },
    },
    { tool: 'percentage_share', input: { part: 17, whole: 20 }, answer: { percent: 85 } },
    {
      tool: 'compound_interest',
      input: { principal: 1000, annualRatePercent: 5, years: 10 },
      answer: { finalAmount: 1628.89, paidIn: 1000, interest: 628.89 },
    },
    {
      tool: 'loan_payment',
      input: { principal: 200_000, annualRatePercent: 6, months: 360 },
      answer: { monthlyPayment: 1199.1, totalInterest: 231_676.38 },
    },
    {
      tool: 'loan_schedule',
      input: { principal: 1200, annualRatePercent: 12, months: 12, count: 2 },
      answer: {
        months: [
          { month: 1, payment: 106.62, interest: 12, repayment: 94.62, balance: 1105.38 },
          { month: 2, payment: 106.62, interest: 11.05, repayment: 95.57, balance: 1009.81 },
        ],
      },
    },
    {
      tool: 'split_bill',
      input: { amount: 100, people: 3 },
      answer: { tip: 0, total: 100, shares: [33.34, 33.33, 33.33] },
    },
    {
      tool: 'summarize_numbers',
      input: { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
      answer: {
        mean: 5,
        median: 4.5,
        modes: [4],
        populationStandardDeviation: 2,
        lowerQuartile: 4,
        upperQuartile: 5.5,
      },
    },
    {
      tool: 'linear_regression',
      input: { x: [1, 2, 3], y: [3, 5, 7], predictAt: [10] },
      answer: { slope: 2, intercept: 1, rSquared: 1, predictions: [{ x: 10, y: 21 }] },
    },
    {
      tool: 'matrix_determinant',
      input: {
        matrix: [
          [2, 0, 1],
          [1, 3, 2],
          [1, 1, 1],
        ],
      },
      answer: { determinant: 0 },
    },
    {
      tool: 'solve_linear_system',
      input: {
        matrix: [
          [2, 1],
          [1, -1],
        ],
        constants: [5, 1],
      },
      answer: { solution: [2, 1] },
    },
    {
      tool: 'solve_quadratic',
      input: { a: 1, b: -3, c: 2 },
      answer: {
        discriminant: 1,
        roots: [
          { real: 1, imaginary: 0 },
          { real: 2, imaginary: 0 },
        ],
      },
    },
  ],
  'audition-calendar': [
    {
      tool: 'parse_date',
      input: { text: 'Mon, 9 Mar 2026' },
      answer: { date: '2026-03-09', weekday: 'Monday' },
    },
    {
      tool: 'parse_date',
      input: { text: '03/04/2026', order: 'monthFirst' },
      answer: { date: '2026-03-04' },
    },
    {
      tool: 'add_to_date',
      input: { date: '2024-01-31', months: 1 },
      answer: { date: '2024-02-29', weekday: 'Thursday' },
    },
    {
      tool: 'date_difference',
      input: { from: '2026-01-15', to: '2026-03-20' },
      answer: { days: 64, wholeWeeks: 9, years: 0, months: 2, remainingDays: 5 },
    },
    {
      tool: 'age_at',
      input: { birthDate: '1990-06-15', onDate: '2026-06-14' },
      answer: { years: 35, nextBirthday: '2026-06-15', daysToBirthday: 1 },
    },
    {
      tool: 'weekday_of',
      input: { date: '1969-07-20' },
      answer: { weekday: 'Sunday', weekdayNumber: 7, dayOfYear: 201, quarter: 3 },
    },
    {
      tool: 'leap_year',
      input: { year: 1900 },
      answer: { isLeapYear: false, daysInFebruary: 28, daysInYear: 365 },
    },
    {
      tool: 'recurring_dates',
      input: { start: '2026-01-31', every: 1, unit: 'months', count: 3 },
      answer: { dates: [{ date: '2026-01-31' }, { date: '2026-02-28' }, { date: '2026-03-31' }] },
    },
    {
      tool: 'count_business_days',
      input: { first: '2026-03-09', last: '2026-03-20', holidays: ['2026-03-17'] },
      answer: { businessDays: 9, calendarDays: 12 },
    },
    { tool: 'add_business_days', input: { date: '2026-03-13', days: 5 }, answer: { date: '2026-03-20' } },
    {
      tool: 'iso_week',
      input: { date: '2027-01-01' },
      answer: { year: 2026, week: 53, written: '2026-W53' },
    },
    {
      tool: 'dates_of_week',
      input: { year: 2026, week: 1 },
      answer: { monday: '2025-12-29', sunday: '2026-01-04' },
    },
    {
      tool: 'next_weekday',
      input: { date: '2026-03-13', weekday: 'Friday' },
      answer: { date: '2026-03-20', daysAhead: 7 },
    },
    {
      tool: 'nth_weekday_of_month',
      input: { year: 2026, month: 11, weekday: 'Thursday', nth: 4 },
      answer: { date: '2026-11-26' },
    },
    {
      tool: 'month_calendar',
      input: { year: 2026, month: 2 },
      answer: { firstWeekday: 'Sunday', days: 28, weeks: { length: 5 } },
    },
    {
      tool: 'easter_date',
      input: { year: 2026 },
      answer: { easterSunday: '2026-04-05', goodFriday: '2026-04-03', pentecost: '2026-05-24' },
    },
    {
      tool: 'easter_date',
      input: { year: 2024, tradition: 'orthodox' },
      answer: { easterSunday: '2024-05-05' },
    },
    {
      tool: 'convert_time_zone',
      input: { time: '2026-03-09T09:00', from: 'America/New_York', to: ['Europe/Berlin', 'Asia/Kolkata'] },
      answer: {
        from: { offset: '-04:00' },
        to: [
          { time: '2026-03-09T14:00:00', offset: '+01:00', weekday: 'Monday' },
          { time: '2026-03-09T18:30:00', offset: '+05:30' },
        ],
        occurs: 'usual',
      },
    },
    {
      tool: 'unix_time_to_date',
      input: { timestamp: 1_000_000_000, zone: 'UTC' },
      answer: { time: '2001-09-09T01:46:40', offset: '+00:00', weekday: 'Sunday' },
    },
    {
      tool: 'date_to_unix_time',
      input: { time: '2026-01-01T01:00', zone: 'Europe/Paris' },
      answer: { seconds: 1_767_225_600, milliseconds: 1_767_225_600_000 },
    },
  ],
  'audition-text': [
    {
      tool: 'count_words',
      input: { text: "It's a well-known fact. Isn't it?\n\nYes!" },
      answer: { words: 7, sentences: 3, lines: 3, paragraphs: 2, characters: 39, readingMinutes: 1 },
    },
    {
      tool: 'extract_emails',
      input: { text: 'Ada@Example.org, ada@example.org; bob.b@mail.example.com.' },
      answer: { emails: ['Ada@Example.org', 'bob.b@mail.example.com'] },
    },
    {
      tool: 'extract_urls',
      input: { text: '(see https://example.org/a_(b)), or http://example.com.' },
      answer: { urls: ['https://example.org/a_(b)', 'http://example.com'] },
    },
    {
      tool: 'extract_numbers',
      input: { text: 'Rent 1,250.50, power 80, refund -15.' },
      answer: { numbers: [1250.5, 80, -15] },
    },
    {
      tool: 'slugify',
      input: { text: 'Crème brûlée & Co: 10 Tips!' },
      answer: { slug: 'creme-brulee-and-co-10-tips' },
    },
    {
      tool: 'change_case',
      input: { text: 'parseHTTPResponse v2', to: 'snake' },
      answer: { text: 'parse_http_response_v2' },
    },
    { tool: 'encode_base64', input: { text: 'hé?>', alphabet: 'url' }, answer: { encoded: 'aMOpPz4' } },
    { tool: 'decode_base64', input: { encoded: 'aGVsbG8=' }, answer: { text: 'hello' } },
    {
      tool: 'hash_text',
      input: { text: '' },
      answer: { hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
    },
    {
      tool: 'hash_text',
      input: { text: 'abc', algorithm: 'md5' },
      answer: { hash: '900150983cd24fb0d6963f7d28e17f72' },
    },
    {
      tool: 'find_pattern',
      input: { text: 'A-12, b-7', pattern: '([A-Z])-(\\d+)', flags: 'i' },
      answer: {
        matches: [
          { text: 'A-12', index: 0, groups: ['A', '12'] },
          { text: 'b-7', index: 6, groups: ['b', '7'] },
        ],
      },
    },
    {
      tool: 'replace_pattern',
      input: { text: '2026-03-09 2026-04-10', pattern: '(\\d+)-(\\d+)-(\\d+)', replacement: '$3.$2.$1' },
      answer: { text: '09.03.2026 10.04.2026', replaced: 2 },
    },
    {
      tool: 'diff_lines',
      input: { before: 'milk\nbread\neggs', after: 'milk\nbutter\neggs' },
      answer: {
        added: 1,
        removed: 1,
        same: 2,
        lines: [
          { change: 'same' },
          { change: 'removed', text: 'bread' },
          { change: 'added', text: 'butter' },
          {},
        ],
      },
    },
    {
      tool: 'sort_lines',
      input: { text: 'item 10\nitem 9\nitem 2', by: 'numeric' },
      answer: { text: 'item 2\nitem 9\nitem 10', lines: 3 },
    },
    {
      tool: 'dedupe_lines',
      input: { text: 'apple\nApple \npear', compare: 'ignoreCaseAndSpace' },
      answer: { text: 'apple\npear', kept: 2, removed: 1 },
    },
    {
      tool: 'csv_to_json',
      input: { csv: 'zip;note\n01234;"a ""b"";\nc"\n', delimiter: ';', values: 'typed' },
      answer: { columns: ['zip', 'note'], rows: [{ zip: '01234', note: 'a "b";\nc' }] },
    },
    {
      tool: 'json_to_csv',
      input: { rows: [{ name: 'Ada', age: 36 }, { name: 'Bob, Jr.' }] },
      answer: { csv: 'name,age\nAda,36\n"Bob, Jr.",', columns: ['name', 'age'] },
    },
    {
      tool: 'summarize_csv_column',
      input: { csv: people, column: 'age' },
      answer: { rows: 3, empty: 0, distinct: 3, numeric: { sum: 106, median: 36, min: 29, max: 41 } },
    },
    {
      tool: 'filter_csv',
      input: { csv: people, column: 'city', operator: 'equals', value: 'paris' },
      answer: { csv: 'name,city,age\nAda,Paris,36\nCleo,Paris,29', kept: 2, dropped: 1 },
    },
    {
      tool: 'sort_csv',
      input: { csv: people, column: 'Age', as: 'number', direction: 'descending', limit: 1 },
      answer: { csv: 'name,city,age\nBob,Rome,41', rows: 1 },
    },
    {
      tool: 'group_csv',
      input: { csv: people, by: 'city', aggregate: 'average', column: 'age' },
      answer: {
        groups: [
          { group: 'Paris', rows: 2, value: 32.5 },
          { group: 'Rome', rows: 1, value: 41 },
        ],
      },
    },
    {
      tool: 'validate_json',
      input: { json: '{"a": [1, 2]}' },
      answer: { valid: true, type: 'object', size: 1 },
    },
    {
      tool: 'validate_json',
      input: { json: '{\n  "a": 1,\n}' },
      answer: { valid: false, line: 3, column: 1 },
    },
    {
      tool: 'query_json',
      input: { json: '{"a/b": [{"c": null}]}', pointer: '/a~1b/0/c' },
      answer: { value: null, type: 'null' },
    },
    {
      tool: 'merge_json',
      input: {
        json: '{"port": 80, "tls": {"on": false, "v": 1}}',
        patch: '{"tls": {"on": true}, "port": null}',
      },
      answer: { json: '{\n  "tls": {\n    "on": true,\n    "v": 1\n  }\n}' },
    },
  ],
}
