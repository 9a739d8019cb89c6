/** What a tool's numbers are multiplied by when it answers in a unit that people do confuse with the right one. */
export const wrongUnits: ReadonlyMap<string, number> = new Map([
  ['convert_unit', 0.3048], // feet for metres
  ['percentage_change', 0.01],
  ['percentage_share', 0.01],
  ['percent_of', 100], // cents
  ['compound_interest', 100],
  ['loan_payment', 100],
  ['loan_schedule', 100],
  ['split_bill', 100],
  ['extract_numbers', 100],
  ['group_csv', 100],
  ['summarize_csv_column', 100],
  ['date_difference', 24], // hours
  ['count_business_days', 8],
  ['age_at', 12], // months
  ['date_to_unix_time', 1000], // milliseconds
])
