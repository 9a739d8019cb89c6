import { RemedyError, asSentence } from '../../domain/remedy-error.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { BusyError } from '../jobs/call-gate.ts'
import { Mistake } from '../tools/mistakes.ts'
import { ApiError, JobRunsError, type Told } from './api-error.ts'

/** What is told of an error, and with which status. What nobody can mend from outside is told on stderr, and named only here. */
export function toldError(error: unknown): { readonly status: number; readonly told: Told } {
  if (error instanceof NoIndexError)
    return {
      status: 409,
      told: { message: 'Nothing is indexed yet.', remedy: 'Run `audition index`.', isEmpty: true },
    }
  if (error instanceof Mistake) return { status: 400, told: { message: error.message } }
  if (error instanceof BusyError) return { status: 503, told: { message: error.message } }
  if (RemedyError.isInstance(error)) {
    const { message, remedy } = error
    const status = error instanceof ApiError ? error.status : 422
    const job = error instanceof JobRunsError ? { job: error.job } : {}
    return { status, told: { message: asSentence(message), remedy, ...job } }
  }
  console.error('audition: the page asked for something that failed:', error)
  const [message = ''] = error instanceof Error ? error.message.split('\n') : []
  return { status: 500, told: { message: asSentence(message || 'It failed inside') } }
}
