import { type CivilDate, dateOfDay, dayNumber } from './civil-date.ts'

/** Easter Sunday of the western churches. @see Anonymous Gregorian algorithm, Nature 13 (1876) 487 */
export function westernEaster(year: number): CivilDate {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const correction = Math.floor((century + 8) / 25)
  const moonShift = Math.floor((century - correction + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30
  const weekShift =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekShift) / 451)
  const sum = epact + weekShift - 7 * late + 114
  return { year, month: Math.floor(sum / 31), day: (sum % 31) + 1 }
}

/** Easter Sunday of the orthodox churches, by Meeus' Julian algorithm, as a Gregorian date. */
export function orthodoxEaster(year: number): CivilDate {
  const moon = (19 * (year % 19) + 15) % 30
  const weekShift = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  const sum = moon + weekShift + 114
  const julian = { year, month: Math.floor(sum / 31), day: (sum % 31) + 1 }
  const century = Math.floor(year / 100)
  return dateOfDay(dayNumber(julian) + century - Math.floor(century / 4) - 2)
}
