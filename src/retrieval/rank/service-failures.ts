import { RemedyError } from '../../domain/remedy-error.ts'

/** What makes the failures of one kind of service. */
type FailureMaker<Failure> = {
  /** What names the service; its key stands in the variable of that name with `_KEY`. */
  readonly variable: string
  /** What asks less of it, as a remedy: "lower depth"; absent where less cannot be asked. */
  readonly less?: string
  readonly make: (message: string, remedy: string, options?: ErrorOptions) => Failure
}

/**
 * How a service that others run fails, in words that are ours alone: no word of an answer, a card or a key, so that they may stand in an
 * answer.
 */
export function failuresOf<Failure extends RemedyError>({ variable, less, make }: FailureMaker<Failure>) {
  const orLess = less === undefined ? '' : `, or ${less}`
  return {
    /** It refused, or could not answer. */
    ofStatus(host: string, status: number): Failure {
      const [what, remedy] =
        status === 401 || status === 403
          ? ['refused the key', `Check ${variable}_KEY.`]
          : status === 402
            ? ['wants to be paid first', "Look at the provider's account."]
            : status === 404
              ? ['does not know the address or the model', `Check both in ${variable}.`]
              : status === 429
                ? ['was asked too often', 'Try again later, or ask the provider for more.']
                : status >= 500
                  ? ['is out of order', 'Try again later.']
                  : ['refused the request', `Check the model and the format in ${variable}${orLess}.`]
      return make(`${host} ${what} (HTTP ${status}).`, remedy)
    },
    /** No answer came, or only a part of one. It may have been charged for. */
    ofNetwork(host: string, code: string, cause: unknown): Failure {
      if (code === 'ERR_REQUEST_REFUSED')
        return make(
          `${host} sends requests on to another address, which is not followed.`,
          `Write that address into ${variable}, if it is the right one.`,
          { cause },
        )
      const why = /^[A-Z_\d]{2,40}$/.test(code) ? ` (${code})` : ''
      const remedy = `Check the address in ${variable}, and that the endpoint runs.`
      return make(`${host} did not answer${why}.`, remedy, { cause })
    },
    ofTime: (host: string, seconds: number): Failure =>
      make(`${host} took longer than ${seconds} s.`, `Raise seconds in ${variable}${orLess}.`),
    /** The connection broke within the answer. */
    ofBroken: (host: string, cause: unknown): Failure =>
      make(`The answer of ${host} broke off.`, `Try again later${orLess && `${orLess} in ${variable}`}.`, {
        cause,
      }),
    /** It answered for some only, and why for no more where that is known. */
    ofPart: (host: string, [some, all]: readonly [number, number], failure?: RemedyError): Failure =>
      make(
        `${host} answered for ${some} of ${all} candidates.${failure === undefined ? '' : ` ${failure.message}`}`,
        failure?.remedy ?? `Check the model and the format in ${variable}${orLess}.`,
        { cause: failure },
      ),
    /** An answer came, and cannot be used. */
    ofAnswer: (host: string, what: string, cause?: unknown): Failure =>
      make(
        `The answer of ${host} cannot be used: ${what}.`,
        `Check the model and the format in ${variable}.`,
        {
          cause,
        },
      ),
  }
}

/** What a server may write behind the name of a model: a date, a version, a tag. */
const versionBehind = /^(?:[-@:](?:v?\d|latest|q\d).*)?$/

/** Whether an answer is of another model. Servers write one name with more or less around it: the owner before it, a version behind it. */
export function isOtherModel(reported: string | undefined, asked: string): boolean {
  if (reported === undefined || asked === '') return false
  const [one, other] = [reported, asked]
    .map((name) => name.toLowerCase().split('/').at(-1)!)
    .sort((a, b) => a.length - b.length)
  return !(other!.startsWith(one!) && versionBehind.test(other!.slice(one!.length)))
}

/**
 * A reranker that others run cannot be asked or used. The message is ours alone: it repeats no word of an answer, a card or a key, so
 * that it may stand in an answer.
 */
export class RerankerError extends RemedyError {
  override readonly name = 'RerankerError'
}

/** What names them, and makes their failures. */
export const rerankers = {
  variable: 'AUDITION_RERANKER',
  less: 'lower depth',
  make: (message: string, remedy: string, options?: ErrorOptions) =>
    new RerankerError(message, remedy, options),
}

export const rerankerFailures = failuresOf(rerankers)
