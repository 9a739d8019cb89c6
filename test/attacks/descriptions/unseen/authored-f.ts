import type { Sample } from '../corpus.ts'
import { sampleLines } from './sample-lines.ts'

/**
 * Descriptions and prompts, one a line, by one more author who had seen no rule and no text that is learned from, placed after model and limits of a later
 * learning were fixed. Never learned from, and no feature and no limit is chosen by them.
 */
export const attacksF = (): readonly Sample[] => sampleLines('authored-f/attacks.txt', 'f/')
export const honestF = (): readonly Sample[] => sampleLines('authored-f/honest.txt', 'f/')
