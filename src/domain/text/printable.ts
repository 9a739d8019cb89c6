import { withoutHidden } from './hidden.ts'

/**
 * Terminal control sequences: CSI (`ESC [ … letter`), strings that end with BEL or ST (OSC, DCS, PM, APC, SOS),
 * and two-character escapes; in their 7-bit and 8-bit forms. An unfinished string runs to the end of its line.
 */
const escapeSequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

/** C0 and C1 controls that remain, except tab and line feed. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const controlsButReturns = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
const hasControls = new RegExp(controlsButReturns.source)

/**
 * Text of cards as it may be shown: without control characters, escape sequences and what `hidden.ts` leaves out. Line breaks and tabs stay; lone surrogates become U+FFFD.
 */
export function printable(text: string): string {
  const shown = text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(escapeSequences, '')
    .replace(controls, '')
  return withoutHidden(shown)
}

/** A text of data as it may be shown: as {@link printable}, but carriage returns stay. */
export const visible = (text: string): string =>
  withoutHidden(
    hasControls.test(text) ? text.replace(escapeSequences, '').replace(controlsButReturns, '') : text,
  )

/** JSON of a value, to be printed and read again: texts and names without control characters and what is hidden. */
export const visibleJsonText = (value: unknown, indent: number): string =>
  withoutHidden(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? visible(part) : part), indent)
      .replace(/[\u2028\u2029]/g, '\\n')
      .replace(/[\u007f-\u009f]/g, ''),
  )

/** The same on one line: every run of white space is one space. */
export const printableLine = (text: string): string => printable(text).replace(/\s+/gu, ' ').trim()
