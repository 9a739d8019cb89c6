const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const date = /(?<!\d)(1[0-2]|[1-9])[月월](?:\s?(3[01]|[12]\d|[1-9])[日号號일])?/gu
const afterYear = /(?<=(?<!\d)\d{4})[年년]/gu

/** Dates as they are written in Chinese, Japanese and Korean: 2024年7月4日 is 2024 July 4. */
export const datesInEnglish = (text: string): string =>
  text
    .replace(afterYear, ' ')
    .replace(date, (_, month: string, day = '') => ` ${months[Number(month) - 1]} ${day} `)
