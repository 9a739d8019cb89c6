import { InputError } from '../shared/input-error.ts'
import { type CivilDate, dayNumber, isLeapYear } from './civil-date.ts'
import { differenceBetween } from './durations.ts'

/** Someone's age on a date. Who was born on 29 February has birthday on 1 March in other years. */
export function ageAt(birth: CivilDate, on: CivilDate) {
  if (dayNumber(on) < dayNumber(birth)) {
    throw new InputError('"onDate" lies before "birthDate". Send a later "onDate".')
  }
  const thisYear = birthdayIn(on.year, birth)
  const hadBirthday = dayNumber(thisYear) <= dayNumber(on)
  const nextBirthday = dayNumber(thisYear) >= dayNumber(on) ? thisYear : birthdayIn(on.year + 1, birth)
  return {
    years: on.year - birth.year - (hadBirthday ? 0 : 1),
    totalMonths: monthsBetween(birth, on),
    totalDays: dayNumber(on) - dayNumber(birth),
    nextBirthday,
    daysToBirthday: dayNumber(nextBirthday) - dayNumber(on),
  }
}

function birthdayIn(year: number, { month, day }: CivilDate): CivilDate {
  return month === 2 && day === 29 && !isLeapYear(year) ? { year, month: 3, day: 1 } : { year, month, day }
}

function monthsBetween(from: CivilDate, to: CivilDate): number {
  const { years, months } = differenceBetween(from, to)
  return years * 12 + months
}
