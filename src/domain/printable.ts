/**
 * Terminal control sequences: CSI (`ESC [ … letter`), strings that end with BEL or ST (OSC, DCS, PM, APC, SOS),
 * and two-character escapes; in their 7-bit and 8-bit forms. An unfinished string runs to the end of its line.
 */
const escapeSequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

/** C0 and C1 controls that remain, except tab and line feed. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Characters that show nothing and yet change what a reader sees or what a model reads: bidirectional controls,
 * zero-width spaces and operators, interlinear annotation, tag characters and supplementary variation selectors
 * (both carry hidden text). Joiners (U+200C, U+200D) and the emoji selectors stay: scripts and emoji need them.
 */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu

/**
 * Text of cards as it may be shown: without control characters, escape sequences, bidirectional overrides and
 * hidden characters. Line breaks and tabs stay; lone surrogates become U+FFFD.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(escapeSequences, '')
    .replace(controls, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(invisible, '')
}

/** The same on one line: every run of white space is one space. */
export const printableLine = (text: string): string => printable(text).replace(/\s+/gu, ' ').trim()
