import * as z from 'zod'
import { weekdayNames } from './civil-date.ts'

/** A date argument. */
export const dateField = (describes: string) => z.string().describe(`${describes} YYYY-MM-DD.`)

/** A year argument. */
export const yearField = z.int().min(1).max(9999).describe('Year, 1 to 9999.')

/** A month argument. */
export const monthField = z.int().min(1).max(12).describe('Month, 1 to 12.')

/** A weekday by its English name. */
export const weekdayField = z.enum(weekdayNames).describe('English name, for example "Friday".')

/** 1 for Monday to 7 for Sunday. */
export const numberOfWeekday = (name: (typeof weekdayNames)[number]): number => weekdayNames.indexOf(name) + 1

/** Arguments that say which days are not worked. */
export const closureFields = {
  holidays: z
    .array(z.string())
    .max(1000)
    .default([])
    .describe('Days not worked besides weekends, YYYY-MM-DD.'),
  weekend: z
    .array(z.enum(weekdayNames))
    .max(6)
    .default(['Saturday', 'Sunday'])
    .describe('Weekdays not worked; Saturday and Sunday unless told otherwise.'),
}
